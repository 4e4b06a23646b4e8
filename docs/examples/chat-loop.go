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
	ctx, ann := context.Background(), loci.User("ann")
	monday := loci.SessionOf(ann, "ann-monday")
	last := must(client.Sessions.Create(ctx, &v1.Session{Scope: ann, Id: monday.GetId(), Title: new("Travels")})).GetLastTurn()
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		asked := &v1.Turn{Role: v1.ChatRole_CHAT_ROLE_USER, Content: lines.Text()}
		reply := must(client.Sessions.AppendAndAssemble(ctx, &v1.AppendTurnsAndAssembleContextRequest{
			Append: loci.TurnsBehind(monday, last, asked),
			Context: &v1.AssembleContextRequest{
				System:      new("You help Ann with her travels."),
				Recall:      loci.From(ann),
				MemoryDates: new(true),
			},
		}))
		last = reply.GetAppended().GetLastTurn()
		answer := model(reply.GetContext().GetMessages())
		fmt.Println(answer)
		said := &v1.Turn{Role: v1.ChatRole_CHAT_ROLE_ASSISTANT, Content: answer}
		last = must(client.Sessions.Append(ctx, loci.TurnsBehind(monday, last, said))).GetLastTurn()
	}
	must(client.Sessions.Close(ctx, monday)) // from now on memories are made of it
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
