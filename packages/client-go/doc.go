// Package loci is the client of a Loci server: memory and context for AI agents.
//
//	client, err := loci.ConnectLocal("")
//	defer client.Close()
//	_, err = client.Memories.Remember(ctx, "Deploys are on Thursdays.", loci.Project("billing"))
//	answer, err := client.Assemble(ctx, &v1.AssembleContextRequest{
//		Query:  "When do we deploy?",
//		Recall: loci.From(loci.Project("billing")),
//	})
//
// Messages are those of package lociv1, whose generated clients work over [Dial] as well. Requests are never changed.
package loci
