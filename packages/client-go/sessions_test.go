package loci

import (
	"testing"

	"google.golang.org/protobuf/proto"

	"loci/client-go/lociv1"
)

func TestTurnsAreAppendedToASessionByItsName(t *testing.T) {
	said := &lociv1.Turn{Role: lociv1.ChatRole_CHAT_ROLE_USER, Content: "And back?"}
	sent := sentBy[*lociv1.AppendTurnsRequest](t, &lociv1.AppendTurnsResponse{LastTurn: 8}, func(client *Client) error {
		appended, err := client.Sessions.Append(t.Context(), TurnsBehind(monday, 7, said))
		if appended.GetLastTurn() != 8 {
			t.Errorf("%v", appended)
		}
		return err
	})
	want := &lociv1.AppendTurnsRequest{Scope: User("ann"), Id: "monday", ExpectedLastTurn: 7, Turns: []*lociv1.Turn{said}}
	if !proto.Equal(sent, want) {
		t.Errorf("%v was sent, want %v", sent, want)
	}
}
