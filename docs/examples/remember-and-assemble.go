package main

import (
	"context"
	"fmt"

	loci "loci/client-go"
	v1 "loci/client-go/lociv1"
)

func main() {
	// The server that has LOCI_DATA_DIR open, with the key it keeps there.
	client := must(loci.ConnectLocal(""))
	defer client.Close()
	ctx, billing := context.Background(), loci.Project("billing")

	must(client.Memories.Remember(ctx, "We chose PostgreSQL 17 for billing because of its row-level security.", billing))

	answer := must(client.Assemble(ctx, &v1.AssembleContextRequest{
		Model:  new("gpt-4o"),
		System: new("You are the assistant of the billing team."),
		Query:  "Which database does billing use, and why?",
		Recall: loci.From(billing),
	}))
	fmt.Println(answer.GetText()) // send it to the model
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
