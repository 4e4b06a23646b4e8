package main

import (
	"context"
	"iter"

	loci "loci/client-go"
	v1 "loci/client-go/lociv1"
)

// sessionCalls are the RPCs of SessionService, by their paths.
var sessionCalls = map[string]call{
	v1.SessionService_CreateSession_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.CreateSessionRequest) (*v1.CreateSessionResponse, error) {
		answer, err := client.Sessions.Create(ctx, request.GetSession(), key(request.GetRequestId())...)
		return &v1.CreateSessionResponse{Session: answer}, err
	}),
	v1.SessionService_GetSession_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.GetSessionRequest) (*v1.GetSessionResponse, error) {
		answer, err := client.Sessions.Get(ctx, loci.SessionOf(request.GetScope(), request.GetId()))
		return &v1.GetSessionResponse{Session: answer}, err
	}),
	v1.SessionService_ListSessions_FullMethodName: many(func(ctx context.Context, client *loci.Client, request *v1.ListSessionsRequest) iter.Seq2[*v1.ListSessionsResponse, error] {
		return client.Sessions.Pages(ctx, request)
	}),
	v1.SessionService_CloseSession_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.CloseSessionRequest) (*v1.CloseSessionResponse, error) {
		answer, err := client.Sessions.Close(ctx, loci.SessionOf(request.GetScope(), request.GetId()), condition(request.Etag, request.GetRequestId())...)
		return &v1.CloseSessionResponse{Session: answer}, err
	}),
	v1.SessionService_ReopenSession_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.ReopenSessionRequest) (*v1.ReopenSessionResponse, error) {
		answer, err := client.Sessions.Reopen(ctx, loci.SessionOf(request.GetScope(), request.GetId()), condition(request.Etag, request.GetRequestId())...)
		return &v1.ReopenSessionResponse{Session: answer}, err
	}),
	v1.SessionService_DeleteSession_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.DeleteSessionRequest) (*v1.DeleteSessionResponse, error) {
		return &v1.DeleteSessionResponse{}, client.Sessions.Delete(ctx, loci.SessionOf(request.GetScope(), request.GetId()), condition(request.Etag, request.GetRequestId())...)
	}),
	v1.SessionService_AppendTurns_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.AppendTurnsRequest) (*v1.AppendTurnsResponse, error) {
		return client.Sessions.Append(ctx, request)
	}),
	v1.SessionService_AppendTurnsAndAssembleContext_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.AppendTurnsAndAssembleContextRequest) (*v1.AppendTurnsAndAssembleContextResponse, error) {
		return client.Sessions.AppendAndAssemble(ctx, request)
	}),
	v1.SessionService_AppendTurnsAndCapture_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.AppendTurnsAndCaptureRequest) (*v1.AppendTurnsAndCaptureResponse, error) {
		return client.Sessions.AppendAndCapture(ctx, request)
	}),
	v1.SessionService_ListTurns_FullMethodName: many(func(ctx context.Context, client *loci.Client, request *v1.ListTurnsRequest) iter.Seq2[*v1.ListTurnsResponse, error] {
		return client.Sessions.TurnPages(ctx, request)
	}),
	v1.SessionService_GetTurnState_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.GetTurnStateRequest) (*v1.GetTurnStateResponse, error) {
		session := loci.SessionOf(request.GetScope(), request.GetId())
		if request.GetWithSummary() {
			state, summary, err := client.Sessions.TurnState.LoadWithSummary(ctx, session)
			return &v1.GetTurnStateResponse{TurnState: state, Summary: summary}, err
		}
		state, err := client.Sessions.TurnState.Load(ctx, session)
		return &v1.GetTurnStateResponse{TurnState: state}, err
	}),
	v1.SessionService_SaveTurnState_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.SaveTurnStateRequest) (*v1.SaveTurnStateResponse, error) {
		answer, err := client.Sessions.TurnState.Save(ctx, request)
		return &v1.SaveTurnStateResponse{TurnState: answer}, err
	}),
	v1.SessionService_MergeTurnState_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.MergeTurnStateRequest) (*v1.MergeTurnStateResponse, error) {
		answer, err := mergeTurnState(ctx, client.Sessions.TurnState, request)
		return &v1.MergeTurnStateResponse{TurnState: answer}, err
	}),
	v1.SessionService_GetDailyLog_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.GetDailyLogRequest) (*v1.GetDailyLogResponse, error) {
		answer, err := client.Sessions.DailyLog(ctx, request)
		return &v1.GetDailyLogResponse{Text: answer}, err
	}),
}

// mergeTurnState calls the method that there is for what a request brings.
func mergeTurnState(ctx context.Context, states *loci.TurnState, request *v1.MergeTurnStateRequest) (*v1.TurnState, error) {
	session, options := loci.SessionOf(request.GetScope(), request.GetId()), key(request.GetRequestId())
	switch news := request.GetNews().(type) {
	case *v1.MergeTurnStateRequest_Decision:
		return states.RecordDecision(ctx, session, news.Decision, options...)
	case *v1.MergeTurnStateRequest_Action:
		return states.RecordAction(ctx, session, news.Action, options...)
	case *v1.MergeTurnStateRequest_BlockedReason:
		return states.MarkBlocked(ctx, session, news.BlockedReason, options...)
	default:
		return states.Merge(ctx, request)
	}
}
