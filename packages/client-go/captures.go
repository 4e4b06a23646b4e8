package loci

import (
	"context"
	"iter"

	"google.golang.org/protobuf/types/known/durationpb"

	v1 "loci/client-go/lociv1"
)

// Captures make memories of sessions.
type Captures struct {
	// Reviews decides about memories that wait for approval.
	Reviews *Reviews

	server *server
}

// Start has memories made of turns of a session, in the background. The same request again is the same job.
func (captures *Captures) Start(ctx context.Context, request *v1.StartCaptureRequest) (*v1.CaptureJob, error) {
	response, err := unary[v1.StartCaptureResponse](ctx, captures.server, v1.CaptureService_StartCapture_FullMethodName, request, repeated)
	return response.GetCapture(), err
}

// Get reads a capture with what came of it.
func (captures *Captures) Get(ctx context.Context, id string) (*v1.CaptureJob, error) {
	response, err := unary[v1.GetCaptureResponse](ctx, captures.server, v1.CaptureService_GetCapture_FullMethodName, &v1.GetCaptureRequest{Id: id}, repeated)
	return response.GetCapture(), err
}

// Wait waits until a capture is over, however long it takes, unless the context ends. One that will not be tried again by
// itself is over, too.
func (captures *Captures) Wait(ctx context.Context, id string) (*v1.CaptureJob, error) {
	// Half the timeout of a call, so that waiting on is the rule and a timeout means trouble.
	request := &v1.WaitCaptureRequest{Id: id, Timeout: durationpb.New(min(longestWait, captures.server.timeout/2))}
	for {
		response, err := unary[v1.WaitCaptureResponse](ctx, captures.server, v1.CaptureService_WaitCapture_FullMethodName, request, repeated)
		if err != nil {
			return nil, err
		}
		switch response.GetCapture().GetState() {
		case v1.CaptureState_CAPTURE_STATE_SUCCEEDED, v1.CaptureState_CAPTURE_STATE_DEAD,
			v1.CaptureState_CAPTURE_STATE_UNDONE, v1.CaptureState_CAPTURE_STATE_CANCELLED:
			return response.GetCapture(), nil
		}
	}
}

// List gives the captures of a session, without their outcomes.
func (captures *Captures) List(ctx context.Context, session *v1.SessionReference, options ...PageOption) iter.Seq2[*v1.CaptureJob, error] {
	return items(captures.Pages(ctx, session, options...), (*v1.ListCapturesResponse).GetCaptures)
}

// Pages gives what [Captures.List] does, a page at a time.
func (captures *Captures) Pages(ctx context.Context, session *v1.SessionReference, options ...PageOption) iter.Seq2[*v1.ListCapturesResponse, error] {
	given := pagingOf(options)
	request := &v1.ListCapturesRequest{Session: session, PageSize: given.size, PageToken: given.token}
	return pages[v1.ListCapturesResponse](ctx, captures.server, v1.CaptureService_ListCaptures_FullMethodName, request)
}

// ListAll gives the captures of all sessions of scopes, such as the dead ones, without their outcomes.
func (captures *Captures) ListAll(ctx context.Context, request *v1.ListCapturesRequest) iter.Seq2[*v1.CaptureJob, error] {
	return items(captures.PagesOfAll(ctx, request), (*v1.ListCapturesResponse).GetCaptures)
}

// PagesOfAll gives what [Captures.ListAll] does, a page at a time.
func (captures *Captures) PagesOfAll(ctx context.Context, request *v1.ListCapturesRequest) iter.Seq2[*v1.ListCapturesResponse, error] {
	return pages[v1.ListCapturesResponse](ctx, captures.server, v1.CaptureService_ListCaptures_FullMethodName, request)
}

// Cancel stops a capture. One that is over stays as it is.
func (captures *Captures) Cancel(ctx context.Context, id string) (*v1.CaptureJob, error) {
	response, err := unary[v1.CancelCaptureResponse](ctx, captures.server, v1.CaptureService_CancelCapture_FullMethodName, &v1.CancelCaptureRequest{Id: id}, repeated)
	return response.GetCapture(), err
}

// Undo forgets what a capture added and opens again what it closed, in one commit.
func (captures *Captures) Undo(ctx context.Context, id string) (*v1.CaptureJob, error) {
	response, err := unary[v1.UndoCaptureResponse](ctx, captures.server, v1.CaptureService_UndoCapture_FullMethodName, &v1.UndoCaptureRequest{Id: id}, repeated)
	return response.GetCapture(), err
}

// Replay says what a capture would make of its turns now, with that extractor; unspecified: the one it had. It writes nothing.
func (captures *Captures) Replay(ctx context.Context, id string, extractor v1.CaptureExtractor) (*v1.CaptureJob, error) {
	request := &v1.ReplayCaptureRequest{Id: id, Extractor: extractor}
	response, err := unary[v1.ReplayCaptureResponse](ctx, captures.server, v1.CaptureService_ReplayCapture_FullMethodName, request, repeated)
	return response.GetCapture(), err
}

// RecordPostMortem remembers a lesson from a failure.
func (captures *Captures) RecordPostMortem(ctx context.Context, request *v1.RecordPostMortemRequest) (*v1.Memory, error) {
	response, err := unary[v1.RecordPostMortemResponse](ctx, captures.server, v1.CaptureService_RecordPostMortem_FullMethodName, withKey(request), repeated)
	return response.GetMemory(), err
}

// Evidence gives what a memory rests on, in the order in which it was said.
func (captures *Captures) Evidence(ctx context.Context, memoryID string) ([]*v1.MemoryEvidence, error) {
	response, err := unary[v1.ListEvidenceResponse](ctx, captures.server, v1.CaptureService_ListEvidence_FullMethodName, &v1.ListEvidenceRequest{Memory: memoryID}, repeated)
	return response.GetEvidence(), err
}

// Reviews are memories that wait for somebody who may approve.
type Reviews struct{ server *server }

// List gives the memories of the scopes that wait for approval.
func (reviews *Reviews) List(ctx context.Context, scopes Scopes, options ...PageOption) iter.Seq2[*v1.MemoryReview, error] {
	return items(reviews.Pages(ctx, scopes, options...), (*v1.ListReviewsResponse).GetReviews)
}

// Pages gives what [Reviews.List] does, a page at a time.
func (reviews *Reviews) Pages(ctx context.Context, scopes Scopes, options ...PageOption) iter.Seq2[*v1.ListReviewsResponse, error] {
	given := pagingOf(options)
	request := &v1.ListReviewsRequest{Scopes: scopes, PageSize: given.size, PageToken: given.token}
	return pages[v1.ListReviewsResponse](ctx, reviews.server, v1.CaptureService_ListReviews_FullMethodName, request)
}

// Decide approves a memory that waits, and gives it, or forgets it, and gives nil. The id is that of the review, or of the
// memory. A memory that does not wait can be approved, too: a procedure is followed then. [Etag] is that of the memory.
func (reviews *Reviews) Decide(ctx context.Context, id string, decision v1.ReviewDecision, options ...DecisionOption) (*v1.Memory, error) {
	request := &v1.DecideReviewRequest{Id: id, Decision: decision}
	for _, option := range options {
		option.decide(request)
	}
	response, err := unary[v1.DecideReviewResponse](ctx, reviews.server, v1.CaptureService_DecideReview_FullMethodName, request, repeated)
	return response.GetMemory(), err
}
