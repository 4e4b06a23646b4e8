package main

import (
	"context"
	"fmt"

	loci "loci/client-go"
	v1 "loci/client-go/lociv1"
)

func main() {
	// The server that has LOCI_DATA_DIR open, with the key it keeps there.
	connection := must(loci.ConnectLocal("", loci.Options{}))
	defer connection.Close()
	billing := &v1.Scope{Kind: v1.ScopeKind_SCOPE_KIND_PROJECT, Id: "billing"}

	memory := &v1.Memory{Text: "We chose PostgreSQL 17 for billing because of its row-level security.", Scope: billing}
	must(v1.NewMemoryServiceClient(connection).CreateMemory(context.Background(), &v1.CreateMemoryRequest{Memory: memory}))

	answer := must(v1.NewContextServiceClient(connection).AssembleContext(context.Background(), &v1.AssembleContextRequest{
		Model:  new("gpt-4o"),
		System: new("You are the assistant of the billing team."),
		Query:  "Which database does billing use, and why?",
		Recall: &v1.AssemblyRecall{Scopes: []*v1.Scope{billing}},
	}))
	fmt.Println(answer.GetText()) // send it to the model
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
