package main

import (
	"bufio"
	"context"
	"fmt"
	"os"

	loci "loci/client-go"
	v1 "loci/client-go/lociv1"
)

// Your model.
func model(messages []*v1.ChatMessage) string {
	return fmt.Sprintf("I was shown %d messages.", len(messages))
}

func main() {
	// The server that has LOCI_DATA_DIR open, with the key it keeps there.
	client := must(loci.ConnectLocal(""))
	defer client.Close()
	ctx, ann, id := context.Background(), loci.User("ann"), "ann-monday"
	session := &v1.Session{Scope: ann, Id: id, Title: new("Travels")}
	last := must(client.Sessions.Create(ctx, session)).GetLastTurn()
	append := func(role v1.ChatRole, content string) *v1.AppendTurnsRequest {
		turns := []*v1.Turn{{Role: role, Content: content}}
		return &v1.AppendTurnsRequest{Scope: ann, Id: id, ExpectedLastTurn: last, Turns: turns}
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		reply := must(client.Sessions.AppendAndAssemble(ctx, &v1.AppendTurnsAndAssembleContextRequest{
			Append: append(v1.ChatRole_CHAT_ROLE_USER, lines.Text()),
			Context: &v1.AssembleContextRequest{
				System: new("You help Ann with her travels."),
				Recall: loci.From(ann),
			},
		}))
		last = reply.GetAppended().GetLastTurn()
		answer := model(reply.GetContext().GetMessages())
		fmt.Println(answer)
		last = must(client.Sessions.Append(ctx, append(v1.ChatRole_CHAT_ROLE_ASSISTANT, answer))).GetLastTurn()
	}
	must(client.Sessions.Close(ctx, loci.SessionOf(ann, id))) // from now on memories are made of it
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
