package loci

import (
	"context"
	"errors"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"loci/client-go/lociv1"
)

// recording is a call that records something in a turn state, and what it sends.
type recording struct {
	call func(context.Context, *TurnState, ...WriteOption) (*lociv1.TurnState, error)
	sent *lociv1.MergeTurnStateRequest
}

var monday = SessionOf(User("ann"), "monday")

func recordings() map[string]recording {
	decision := &lociv1.TurnDecision{Decision: "Use Redis", Rationale: "It is there.", Alternatives: []string{"memcached"}}
	action := &lociv1.TurnAction{Type: "edit", Result: "done", DetailsJson: new(`{"file":"a.ts"}`)}
	return map[string]recording{
		"a decision": {
			func(ctx context.Context, states *TurnState, options ...WriteOption) (*lociv1.TurnState, error) {
				return states.RecordDecision(ctx, monday, decision, options...)
			},
			&lociv1.MergeTurnStateRequest{News: &lociv1.MergeTurnStateRequest_Decision{Decision: decision}},
		},
		"an action": {
			func(ctx context.Context, states *TurnState, options ...WriteOption) (*lociv1.TurnState, error) {
				return states.RecordAction(ctx, monday, action, options...)
			},
			&lociv1.MergeTurnStateRequest{News: &lociv1.MergeTurnStateRequest_Action{Action: action}},
		},
		"a reason": {
			func(ctx context.Context, states *TurnState, options ...WriteOption) (*lociv1.TurnState, error) {
				return states.MarkBlocked(ctx, monday, "No password.", options...)
			},
			&lociv1.MergeTurnStateRequest{News: &lociv1.MergeTurnStateRequest_BlockedReason{BlockedReason: "No password."}},
		},
		"nothing": {
			func(ctx context.Context, states *TurnState, options ...WriteOption) (*lociv1.TurnState, error) {
				return states.RecordDecision(ctx, monday, nil, options...)
			},
			&lociv1.MergeTurnStateRequest{News: &lociv1.MergeTurnStateRequest_Decision{Decision: &lociv1.TurnDecision{}}},
		},
	}
}

func TestWhatIsRecordedInATurnStateIsSentWithTheCallersKey(t *testing.T) {
	for name, recorded := range recordings() {
		t.Run(name, func(t *testing.T) {
			answer := &lociv1.MergeTurnStateResponse{TurnState: &lociv1.TurnState{Etag: "7"}}
			sent := sentBy[*lociv1.MergeTurnStateRequest](t, answer, func(client *Client) error {
				state, err := recorded.call(t.Context(), client.Sessions.TurnState, RequestID("mine"))
				if state.GetEtag() != "7" {
					t.Errorf("%v", state)
				}
				return err
			})
			recorded.sent.Scope, recorded.sent.Id, recorded.sent.RequestId = User("ann"), "monday", "mine"
			expectEqual(t, sent, recorded.sent)
		})
	}
}

func TestWhatIsRecordedInATurnStateIsRepeatedWithTheSameKey(t *testing.T) {
	for name, recorded := range recordings() {
		t.Run(name, func(t *testing.T) {
			server := serveScript(t, failing(1, unavailable, &lociv1.MergeTurnStateResponse{}))
			if _, err := recorded.call(t.Context(), connect(t, server.address, quick).Sessions.TurnState); err != nil {
				t.Fatal(err)
			}
			if keys := requestIDs(server); len(keys) != 2 || keys[0] != keys[1] || len(keys[0]) != 36 {
				t.Errorf("%q", keys)
			}
		})
	}
}

func TestATurnStateIsTerminalWhenTheServerSaysSo(t *testing.T) {
	for _, terminal := range []bool{true, false} {
		answer := &lociv1.GetTurnStateResponse{TurnState: &lociv1.TurnState{Terminal: terminal}}
		sent := sentBy[*lociv1.GetTurnStateRequest](t, answer, func(client *Client) error {
			found, err := client.Sessions.TurnState.IsTerminal(t.Context(), monday)
			if found != terminal {
				t.Errorf("%v instead of %v", found, terminal)
			}
			return err
		})
		expectEqual(t, sent, &lociv1.GetTurnStateRequest{Scope: User("ann"), Id: "monday"})
	}
	server := serveScript(t, func(received, int) (proto.Message, error) {
		return nil, refusal(codes.NotFound, "SESSION_NOT_FOUND", "There is none.")
	})
	found, err := connect(t, server.address).Sessions.TurnState.IsTerminal(t.Context(), monday)
	if found || !errors.Is(err, SessionNotFound) {
		t.Errorf("%v, %v", found, err)
	}
}
