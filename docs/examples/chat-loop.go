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
	connection := must(loci.DialLocal(""))
	defer connection.Close()
	sessions, call := v1.NewSessionServiceClient(connection), context.Background()
	ann, id := &v1.Scope{Kind: v1.ScopeKind_SCOPE_KIND_USER, Id: "ann"}, "ann-monday"
	session := &v1.Session{Scope: ann, Id: id, Title: new("Travels")}
	last := must(sessions.CreateSession(call, &v1.CreateSessionRequest{Session: session})).GetSession().GetLastTurn()
	append := func(role v1.ChatRole, content string) *v1.AppendTurnsRequest {
		turns := []*v1.Turn{{Role: role, Content: content}}
		return &v1.AppendTurnsRequest{Scope: ann, Id: id, ExpectedLastTurn: last, Turns: turns}
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		reply := must(sessions.AppendTurnsAndAssembleContext(call, &v1.AppendTurnsAndAssembleContextRequest{
			Append: append(v1.ChatRole_CHAT_ROLE_USER, lines.Text()),
			Context: &v1.AssembleContextRequest{
				System: new("You help Ann with her travels."),
				Recall: &v1.AssemblyRecall{Scopes: []*v1.Scope{ann}},
			},
		}))
		last = reply.GetAppended().GetLastTurn()
		answer := model(reply.GetContext().GetMessages())
		fmt.Println(answer)
		last = must(sessions.AppendTurns(call, append(v1.ChatRole_CHAT_ROLE_ASSISTANT, answer))).GetLastTurn()
	}
	must(sessions.CloseSession(call, &v1.CloseSessionRequest{Scope: ann, Id: id})) // from now on memories are made of it
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
