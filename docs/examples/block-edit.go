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
	ctx, alice, label := context.Background(), loci.User("alice"), "human"
	must(client.Blocks.Create(ctx, &v1.CreateBlockRequest{
		Owner:   alice,
		Label:   label,
		Content: loci.Holding(map[string]*v1.BlockValue{"name": loci.BlockValue("Alice")}),
	}))

	id := must(client.Blocks.Propose(ctx, &v1.ProposeBlockEditRequest{
		Owner:  alice,
		Label:  label,
		Reason: new("She asked for short answers"),
		Operations: []*v1.BlockOperation{
			loci.AppendTo("preferences", "short answers"),
			loci.SetTo("name", loci.BlockValue("Alicia")),
		},
	})).GetId()

	// The first operation; the other one is rejected with that.
	hunks := &v1.BlockHunks{Positions: []int32{0}}
	found := must(client.Blocks.GetEdit(ctx, &v1.GetBlockEditRequest{Id: id, Hunks: hunks}))
	preview := found.GetPreview()
	if preview == nil {
		panic(found.GetConflict())
	}
	for _, change := range preview.GetDiff() {
		fmt.Println(change.GetField()) // what would change: show it to whoever decides
	}
	must(client.Blocks.Approve(ctx, &v1.ApproveBlockEditRequest{
		Id:          id,
		Hunks:       hunks,
		BaseVersion: preview.GetBaseVersion(),
		ContentHash: preview.GetContentHash(),
	}))

	document := must(client.Blocks.Get(ctx, &v1.GetBlockRequest{Owner: alice, Label: label}))
	fmt.Println(document.GetText())
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
