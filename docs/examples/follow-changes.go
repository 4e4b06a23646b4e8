package main

import (
	"context"
	"fmt"

	loci "loci/client-go"
	v1 "loci/client-go/lociv1"
)

func main() {
	// The server that has LOCI_DATA_DIR open, with the key it keeps there.
	client, err := loci.ConnectLocal("")
	if err != nil {
		panic(err)
	}
	defer client.Close()
	everything := &v1.WatchMemoriesRequest{AllScopes: true, Since: &v1.WatchMemoriesRequest_Beginning{Beginning: true}}
	for change, err := range client.Memories.Watch(context.Background(), everything) {
		if err != nil {
			panic(err)
		}
		switch {
		case change.GetWritten() != nil:
			fmt.Println("written", change.GetWritten().GetText())
		case change.GetRemovedId() != "":
			fmt.Println("removed", change.GetRemovedId())
		default:
			return // nothing more for now; a program that follows would go on
		}
	}
}
