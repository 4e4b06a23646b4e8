package loci

import (
	"context"
	"iter"

	v1 "loci/client-go/lociv1"
)

// Sessions keeps conversations turn by turn.
type Sessions struct {
	// TurnState is where an agent stands in the work of a session.
	TurnState *TurnState

	server *server
}

// Create begins a session. When the scope has one of this id, it is [ErrAlreadyExists].
func (sessions *Sessions) Create(ctx context.Context, session *v1.Session, options ...WriteOption) (*v1.Session, error) {
	request := &v1.CreateSessionRequest{Session: session, RequestId: keyOf(options)}
	response, err := unary[v1.CreateSessionResponse](ctx, sessions.server, v1.SessionService_CreateSession_FullMethodName, request, repeated)
	return response.GetSession(), err
}

// Get reads one session, without its turns. [SessionOf] names it.
func (sessions *Sessions) Get(ctx context.Context, session *v1.SessionReference) (*v1.Session, error) {
	request := &v1.GetSessionRequest{Scope: session.GetScope(), Id: session.GetId()}
	response, err := unary[v1.GetSessionResponse](ctx, sessions.server, v1.SessionService_GetSession_FullMethodName, request, repeated)
	return response.GetSession(), err
}

// List gives sessions, in an order that stays the same from page to page and means nothing.
func (sessions *Sessions) List(ctx context.Context, request *v1.ListSessionsRequest) iter.Seq2[*v1.Session, error] {
	return items(sessions.Pages(ctx, request), (*v1.ListSessionsResponse).GetSessions)
}

// Pages gives what [Sessions.List] does, a page at a time.
func (sessions *Sessions) Pages(ctx context.Context, request *v1.ListSessionsRequest) iter.Seq2[*v1.ListSessionsResponse, error] {
	return pages[v1.ListSessionsResponse](ctx, sessions.server, v1.SessionService_ListSessions_FullMethodName, request)
}

// Close takes no more turns. A session that is closed already is returned as it is.
func (sessions *Sessions) Close(ctx context.Context, session *v1.SessionReference, options ...ConditionOption) (*v1.Session, error) {
	given := preconditionOf(options)
	request := &v1.CloseSessionRequest{Scope: session.GetScope(), Id: session.GetId(), Etag: given.etag, RequestId: given.key}
	response, err := unary[v1.CloseSessionResponse](ctx, sessions.server, v1.SessionService_CloseSession_FullMethodName, request, repeated)
	return response.GetSession(), err
}

// Reopen takes turns again. A session that is open already is returned as it is.
func (sessions *Sessions) Reopen(ctx context.Context, session *v1.SessionReference, options ...ConditionOption) (*v1.Session, error) {
	given := preconditionOf(options)
	request := &v1.ReopenSessionRequest{Scope: session.GetScope(), Id: session.GetId(), Etag: given.etag, RequestId: given.key}
	response, err := unary[v1.ReopenSessionResponse](ctx, sessions.server, v1.SessionService_ReopenSession_FullMethodName, request, repeated)
	return response.GetSession(), err
}

// Delete gives turns and turn state no longer; the id may be used again. Memories made of the session stay.
func (sessions *Sessions) Delete(ctx context.Context, session *v1.SessionReference, options ...ConditionOption) error {
	given := preconditionOf(options)
	request := &v1.DeleteSessionRequest{Scope: session.GetScope(), Id: session.GetId(), Etag: given.etag, RequestId: given.key}
	_, err := unary[v1.DeleteSessionResponse](ctx, sessions.server, v1.SessionService_DeleteSession_FullMethodName, request, repeated)
	return err
}

// Append appends up to 100 turns, all or none. The same turns behind the same one again are answered again, so that it can be
// repeated. When other turns stand there, it is [TurnConflict], with details["lastTurn"]. [TurnsBehind] makes the request.
func (sessions *Sessions) Append(ctx context.Context, request *v1.AppendTurnsRequest) (*v1.AppendTurnsResponse, error) {
	return unary[v1.AppendTurnsResponse](ctx, sessions.server, v1.SessionService_AppendTurns_FullMethodName, request, repeated)
}

// AppendAndAssemble appends turns, then assembles the session's context: what an agent does when its user has said something.
func (sessions *Sessions) AppendAndAssemble(ctx context.Context, request *v1.AppendTurnsAndAssembleContextRequest) (*v1.AppendTurnsAndAssembleContextResponse, error) {
	return unary[v1.AppendTurnsAndAssembleContextResponse](ctx, sessions.server, v1.SessionService_AppendTurnsAndAssembleContext_FullMethodName, request, repeated)
}

// AppendAndCapture keeps what was said and has memories made of it: it begins the session if it is not there, appends the turns
// behind those that stand there, waits for what is learned, and tells it. Without an id in its session, the turns are a conversation of
// their own. The same request id again, whoever has appended since, or the last turns of the session once more, keeps and captures
// nothing twice and is answered again; another request under it is refused. A capture that is not over yet says so in its state.
func (sessions *Sessions) AppendAndCapture(ctx context.Context, request *v1.AppendTurnsAndCaptureRequest) (*v1.AppendTurnsAndCaptureResponse, error) {
	return unary[v1.AppendTurnsAndCaptureResponse](ctx, sessions.server, v1.SessionService_AppendTurnsAndCapture_FullMethodName, withKey(request), repeated)
}

// Turns gives the turns of a session, from either end.
func (sessions *Sessions) Turns(ctx context.Context, request *v1.ListTurnsRequest) iter.Seq2[*v1.Turn, error] {
	return items(sessions.TurnPages(ctx, request), (*v1.ListTurnsResponse).GetTurns)
}

// TurnPages gives what [Sessions.Turns] does, a page at a time.
func (sessions *Sessions) TurnPages(ctx context.Context, request *v1.ListTurnsRequest) iter.Seq2[*v1.ListTurnsResponse, error] {
	return pages[v1.ListTurnsResponse](ctx, sessions.server, v1.SessionService_ListTurns_FullMethodName, request)
}

// DailyLog tells in Markdown what was talked about on a day in the sessions of a scope. Empty for a day without turns.
func (sessions *Sessions) DailyLog(ctx context.Context, request *v1.GetDailyLogRequest) (string, error) {
	response, err := unary[v1.GetDailyLogResponse](ctx, sessions.server, v1.SessionService_GetDailyLog_FullMethodName, request, repeated)
	return response.GetText(), err
}
