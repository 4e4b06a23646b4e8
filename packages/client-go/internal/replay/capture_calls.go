package main

import (
	"context"
	"iter"

	loci "loci/client-go"
	v1 "loci/client-go/lociv1"
)

// captureCalls are the RPCs of CaptureService, by their paths.
var captureCalls = map[string]call{
	v1.CaptureService_StartCapture_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.StartCaptureRequest) (*v1.StartCaptureResponse, error) {
		answer, err := client.Captures.Start(ctx, request)
		return &v1.StartCaptureResponse{Capture: answer}, err
	}),
	v1.CaptureService_GetCapture_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.GetCaptureRequest) (*v1.GetCaptureResponse, error) {
		answer, err := client.Captures.Get(ctx, request.GetId())
		return &v1.GetCaptureResponse{Capture: answer}, err
	}),
	v1.CaptureService_WaitCapture_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.WaitCaptureRequest) (*v1.WaitCaptureResponse, error) {
		answer, err := client.Captures.Wait(ctx, request.GetId())
		return &v1.WaitCaptureResponse{Capture: answer}, err
	}),
	v1.CaptureService_ListCaptures_FullMethodName: many(func(ctx context.Context, client *loci.Client, request *v1.ListCapturesRequest) iter.Seq2[*v1.ListCapturesResponse, error] {
		if request.GetSession() == nil {
			return client.Captures.PagesOfAll(ctx, request)
		}
		return client.Captures.Pages(ctx, request.GetSession(), paging(request.PageSize, request.GetPageToken())...)
	}),
	v1.CaptureService_CancelCapture_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.CancelCaptureRequest) (*v1.CancelCaptureResponse, error) {
		answer, err := client.Captures.Cancel(ctx, request.GetId())
		return &v1.CancelCaptureResponse{Capture: answer}, err
	}),
	v1.CaptureService_UndoCapture_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.UndoCaptureRequest) (*v1.UndoCaptureResponse, error) {
		answer, err := client.Captures.Undo(ctx, request.GetId())
		return &v1.UndoCaptureResponse{Capture: answer}, err
	}),
	v1.CaptureService_ReplayCapture_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.ReplayCaptureRequest) (*v1.ReplayCaptureResponse, error) {
		answer, err := client.Captures.Replay(ctx, request.GetId(), request.GetExtractor())
		return &v1.ReplayCaptureResponse{Capture: answer}, err
	}),
	v1.CaptureService_RecordPostMortem_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.RecordPostMortemRequest) (*v1.RecordPostMortemResponse, error) {
		answer, err := client.Captures.RecordPostMortem(ctx, request)
		return &v1.RecordPostMortemResponse{Memory: answer}, err
	}),
	v1.CaptureService_ListReviews_FullMethodName: many(func(ctx context.Context, client *loci.Client, request *v1.ListReviewsRequest) iter.Seq2[*v1.ListReviewsResponse, error] {
		return client.Captures.Reviews.Pages(ctx, loci.In(request.GetScopes()...), paging(request.PageSize, request.GetPageToken())...)
	}),
	v1.CaptureService_DecideReview_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.DecideReviewRequest) (*v1.DecideReviewResponse, error) {
		var options []loci.DecisionOption
		if request.Etag != nil {
			options = append(options, loci.Etag(request.GetEtag()))
		}
		answer, err := client.Captures.Reviews.Decide(ctx, request.GetId(), request.GetDecision(), options...)
		return &v1.DecideReviewResponse{Memory: answer}, err
	}),
	v1.CaptureService_ListEvidence_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.ListEvidenceRequest) (*v1.ListEvidenceResponse, error) {
		answer, err := client.Captures.Evidence(ctx, request.GetMemory())
		return &v1.ListEvidenceResponse{Evidence: answer}, err
	}),
}
