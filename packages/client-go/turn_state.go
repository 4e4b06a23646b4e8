package loci

import (
	"context"

	v1 "loci/client-go/lociv1"
)

// TurnState is where an agent stands in the work of a session. Every change but [TurnState.Save] is made to the state as it is
// then, again where somebody else was quicker, so that nothing of theirs is lost.
//
// A session that is not there is [SessionNotFound], a state that can no longer be read [TurnStateCorrupt]: Save writes over
// it. One that would have more than 256 KiB is [TextTooLarge].
type TurnState struct{ server *server }

// Load reads the turn state of a session. Before it was saved first, it is that of an agent that begins.
func (states *TurnState) Load(ctx context.Context, session *v1.SessionReference) (*v1.TurnState, error) {
	response, err := states.get(ctx, session, false)
	return response.GetTurnState(), err
}

// SummaryForContext gives what a model is told of the turn state: at most 500 tokens.
func (states *TurnState) SummaryForContext(ctx context.Context, session *v1.SessionReference) (string, error) {
	_, summary, err := states.LoadWithSummary(ctx, session)
	return summary, err
}

// LoadWithSummary gives the turn state, and what a model is told of it.
func (states *TurnState) LoadWithSummary(ctx context.Context, session *v1.SessionReference) (*v1.TurnState, string, error) {
	response, err := states.get(ctx, session, true)
	return response.GetTurnState(), response.GetSummary(), err
}

// IsTerminal tells whether nothing is left to do. A task that is blocked goes on when somebody helps.
func (states *TurnState) IsTerminal(ctx context.Context, session *v1.SessionReference) (bool, error) {
	state, err := states.Load(ctx, session)
	return state.GetTerminal(), err
}

func (states *TurnState) get(ctx context.Context, session *v1.SessionReference, withSummary bool) (*v1.GetTurnStateResponse, error) {
	request := &v1.GetTurnStateRequest{Scope: session.GetScope(), Id: session.GetId(), WithSummary: withSummary}
	return unary[v1.GetTurnStateResponse](ctx, states.server, v1.SessionService_GetTurnState_FullMethodName, request, repeated)
}

// Save replaces the turn state of a session as a whole.
func (states *TurnState) Save(ctx context.Context, request *v1.SaveTurnStateRequest) (*v1.TurnState, error) {
	response, err := unary[v1.SaveTurnStateResponse](ctx, states.server, v1.SessionService_SaveTurnState_FullMethodName, withKey(request), repeated)
	return response.GetTurnState(), err
}

// Merge brings something new into the turn state of a session, whatever others have saved meanwhile. What the two disagree on
// stands in its conflicts.
func (states *TurnState) Merge(ctx context.Context, request *v1.MergeTurnStateRequest) (*v1.TurnState, error) {
	response, err := unary[v1.MergeTurnStateResponse](ctx, states.server, v1.SessionService_MergeTurnState_FullMethodName, withKey(request), repeated)
	return response.GetTurnState(), err
}

// RecordDecision adds a choice, why it was made, and what else was weighed: at most 100 alternatives, by default none. The last
// 50 decisions are kept.
func (states *TurnState) RecordDecision(ctx context.Context, session *v1.SessionReference, made *v1.TurnDecision, options ...WriteOption) (*v1.TurnState, error) {
	return states.mergeNews(ctx, session, &v1.MergeTurnStateRequest{News: &v1.MergeTurnStateRequest_Decision{Decision: made}}, options)
}

// RecordAction adds something that was done, and what came of it, of which the first 500 UTF-16 units are kept. Its details are
// fields of your own, as a JSON object, by default none; what is not JSON is [InvalidRequest]. The last 50 actions are kept.
func (states *TurnState) RecordAction(ctx context.Context, session *v1.SessionReference, done *v1.TurnAction, options ...WriteOption) (*v1.TurnState, error) {
	return states.mergeNews(ctx, session, &v1.MergeTurnStateRequest{News: &v1.MergeTurnStateRequest_Action{Action: done}}, options)
}

// MarkBlocked says that the task cannot go on, and why: the reason becomes an action, of which the first 500 UTF-16 units are
// kept.
func (states *TurnState) MarkBlocked(ctx context.Context, session *v1.SessionReference, reason string, options ...WriteOption) (*v1.TurnState, error) {
	return states.mergeNews(ctx, session, &v1.MergeTurnStateRequest{News: &v1.MergeTurnStateRequest_BlockedReason{BlockedReason: reason}}, options)
}

// mergeNews fills in where the news belong, in a request that is nobody else's.
func (states *TurnState) mergeNews(ctx context.Context, session *v1.SessionReference, request *v1.MergeTurnStateRequest, options []WriteOption) (*v1.TurnState, error) {
	request.Scope, request.Id, request.RequestId = session.GetScope(), session.GetId(), keyOf(options)
	return states.Merge(ctx, request)
}
