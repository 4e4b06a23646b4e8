package loci

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	"loci/client-go/lociv1"
)

func operation(state lociv1.OperationState) *lociv1.Operation {
	return &lociv1.Operation{Id: "o", State: state}
}

// working answers operations that are running so many times, and then as they end.
func working(times int, ended *lociv1.Operation) script {
	return func(call received, _ int) (proto.Message, error) {
		running := operation(lociv1.OperationState_OPERATION_STATE_RUNNING)
		running.Progress = &lociv1.MaintenanceProgress{Activity: "building indexes"}
		switch {
		case strings.HasSuffix(call.method, "/StartMaintenance"):
			return &lociv1.StartMaintenanceResponse{Operation: running}, nil
		case strings.HasSuffix(call.method, "/SettleIndexes"):
			return &lociv1.SettleIndexesResponse{Operation: running}, nil
		case strings.HasSuffix(call.method, "/CancelOperation"):
			return &lociv1.CancelOperationResponse{}, nil
		}
		if times--; times >= 0 {
			return &lociv1.WaitOperationResponse{Operation: running}, nil
		}
		return &lociv1.WaitOperationResponse{Operation: ended}, nil
	}
}

func TestAJobIsStartedAndWaitedForAndGivesItsReport(t *testing.T) {
	ended := operation(lociv1.OperationState_OPERATION_STATE_SUCCEEDED)
	ended.Result = &lociv1.Operation_Maintenance{Maintenance: &lociv1.MaintenanceReport{Job: "verify"}}
	server := serveScript(t, working(2, ended))
	var shown []string
	report, err := connect(t, server.address).Maintenance.Verify(t.Context(), &lociv1.VerifyJob{Repair: true}, DryRun(true),
		OnProgress(func(progress *lociv1.MaintenanceProgress) { shown = append(shown, progress.GetActivity()) }))
	if err != nil || report.GetJob() != "verify" || len(shown) != 2 {
		t.Fatalf("%v, %v, after %q", report, err, shown)
	}
	calls := server.received()
	expectEqual(t, calls[0].request, &lociv1.StartMaintenanceRequest{ValidateOnly: true, Job: &lociv1.MaintenanceJob{
		Job: &lociv1.MaintenanceJob_Verify{Verify: &lociv1.VerifyJob{Repair: true}},
	}})
	expectEqual(t, calls[1].request, &lociv1.WaitOperationRequest{Id: "o", Timeout: durationpb.New(time.Second)})
}

func TestAJobIsStartedOnce(t *testing.T) {
	server := serveScript(t, failing(99, unavailable, nil))
	if _, err := connect(t, server.address, quick).Maintenance.Compact(t.Context()); !errors.Is(err, ErrUnavailable) || len(server.received()) != 1 {
		t.Errorf("%v after %d attempts", err, len(server.received()))
	}
}

func TestWhyAnOperationFailedIsTheError(t *testing.T) {
	failed := operation(lociv1.OperationState_OPERATION_STATE_FAILED)
	failed.Error = status.Convert(refusal(codes.FailedPrecondition, "JOB_INTERRUPTED", "Its server died.")).Proto()
	for ended, expected := range map[*lociv1.Operation]Reason{
		failed: JobInterrupted,
		operation(lociv1.OperationState_OPERATION_STATE_CANCELLED): Cancelled,
		operation(lociv1.OperationState_OPERATION_STATE_FAILED):    Internal,
	} {
		server := serveScript(t, working(1, ended))
		client := connect(t, server.address)
		if err := client.Settled(t.Context()); !errors.Is(err, expected) || errors.Is(err, context.Canceled) {
			t.Errorf("%v instead of %s", err, expected)
		}
		if calls := server.received(); len(calls) != 3 {
			t.Errorf("%d calls", len(calls))
		}
	}
}

func TestWhatNobodyWaitsForAnyMoreIsCancelled(t *testing.T) {
	server := serveScript(t, func(call received, number int) (proto.Message, error) {
		if strings.HasSuffix(call.method, "/WaitOperation") {
			<-call.ctx.Done()
			return nil, call.ctx.Err()
		}
		return working(1, nil)(call, number)
	})
	client := connect(t, server.address)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	if err := client.Settled(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	calls := server.received()
	if last := calls[len(calls)-1]; !strings.HasSuffix(last.method, "/CancelOperation") {
		t.Errorf("the last call is %s", last.method)
	}
	// One that the caller holds goes on.
	operation, err := client.Operations.Settle(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	again, end := context.WithTimeout(t.Context(), time.Second)
	defer end()
	if _, err := operation.Wait(again); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	if calls := server.received(); len(calls) != 5 {
		t.Errorf("%d calls", len(calls))
	}
	if _, err := operation.Cancel(t.Context()); err != nil || len(server.received()) != 6 {
		t.Errorf("%v", err)
	}
}

func TestAnOperationThatWasReadIsWaitedForAndCancelled(t *testing.T) {
	server := serveScript(t, working(2, operation(lociv1.OperationState_OPERATION_STATE_SUCCEEDED)))
	operations := connect(t, server.address).Operations
	found := operations.Running(operation(lociv1.OperationState_OPERATION_STATE_RUNNING))
	if calls := server.received(); len(calls) != 0 {
		t.Errorf("%d calls before anything was waited for", len(calls))
	}
	ended, err := found.Wait(t.Context())
	if err != nil || ended.GetState() != lociv1.OperationState_OPERATION_STATE_SUCCEEDED || len(server.received()) != 3 {
		t.Errorf("%v, %v", ended, err)
	}
	if _, err := found.Cancel(t.Context()); err != nil {
		t.Error(err)
	}
	expectEqual(t, server.received()[3].request, &lociv1.CancelOperationRequest{Id: "o"})
	// One that has ended already is not asked for.
	ended, err = operations.Running(ended).Wait(t.Context())
	if err != nil || ended.GetId() != "o" || len(server.received()) != 4 {
		t.Errorf("%v, %v", ended, err)
	}
}

func TestAnExportByPagesGivesAllLines(t *testing.T) {
	failure := refusal(codes.InvalidArgument, "INVALID_PAGE_TOKEN", "Too old.")
	server := serveScript(t, func(call received, _ int) (proto.Message, error) {
		switch call.request.(*lociv1.ExportMemoriesRequest).GetPageToken() {
		case "":
			return &lociv1.ExportMemoriesResponse{Lines: []string{"a", "b"}, NextPageToken: "second"}, nil
		case "second":
			return &lociv1.ExportMemoriesResponse{Lines: []string{"c"}, NextPageToken: "third"}, nil
		}
		return nil, failure
	})
	var lines string
	var ended error
	for line, err := range connect(t, server.address).Maintenance.ExportMemories(t.Context(), PageSize(2)) {
		lines, ended = lines+line, err
	}
	if lines != "abc" || !errors.Is(ended, InvalidPageToken) {
		t.Errorf("%q, %v", lines, ended)
	}
	expectEqual(t, server.received()[1].request, &lociv1.ExportMemoriesRequest{PageSize: new(int32(2)), PageToken: "second"})
}

func TestACaptureIsWaitedForUntilItIsOver(t *testing.T) {
	states := []lociv1.CaptureState{1, 2, 4, lociv1.CaptureState_CAPTURE_STATE_DEAD}
	server := serveScript(t, func(_ received, number int) (proto.Message, error) {
		return &lociv1.WaitCaptureResponse{Capture: &lociv1.CaptureJob{State: states[number-1]}}, nil
	})
	job, err := connect(t, server.address).Captures.Wait(t.Context(), "c")
	if err != nil || job.GetState() != lociv1.CaptureState_CAPTURE_STATE_DEAD || len(server.received()) != 4 {
		t.Errorf("%v, %v", job, err)
	}
	expectEqual(t, server.received()[0].request, &lociv1.WaitCaptureRequest{Id: "c", Timeout: durationpb.New(15 * time.Second)})
}
