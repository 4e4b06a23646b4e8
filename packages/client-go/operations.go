package loci

import (
	"context"
	"fmt"
	"time"

	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	v1 "loci/client-go/lociv1"
)

const (
	// longestWait is how long one call waits for an operation, shortestWait when somebody wants to see its progress.
	longestWait  = 20 * time.Second
	shortestWait = time.Second
	// cancelTime is how long it may take to tell the server that nobody waits any more.
	cancelTime = time.Second
)

// Operations are work that outlives the call that started it.
type Operations struct{ server *server }

// Get reads an operation as it stands.
func (operations *Operations) Get(ctx context.Context, id string) (*v1.Operation, error) {
	response, err := unary[v1.GetOperationResponse](ctx, operations.server, v1.OperationService_GetOperation_FullMethodName, &v1.GetOperationRequest{Id: id}, repeated)
	return response.GetOperation(), err
}

// Poll reads an operation when it has ended or the time has passed, whichever is first. At most 60 s.
func (operations *Operations) Poll(ctx context.Context, id string, wait time.Duration) (*v1.Operation, error) {
	request := &v1.WaitOperationRequest{Id: id, Timeout: durationpb.New(wait)}
	response, err := unary[v1.WaitOperationResponse](ctx, operations.server, v1.OperationService_WaitOperation_FullMethodName, request, repeated)
	return response.GetOperation(), err
}

// Cancel stops an operation, and gives it as it stands. One that has ended stays as it is.
func (operations *Operations) Cancel(ctx context.Context, id string) (*v1.Operation, error) {
	response, err := unary[v1.CancelOperationResponse](ctx, operations.server, v1.OperationService_CancelOperation_FullMethodName, &v1.CancelOperationRequest{Id: id}, repeated)
	return response.GetOperation(), err
}

// Settle starts waiting for every index to catch up with what was committed before the call. [Client.Settled] waits as well.
func (operations *Operations) Settle(ctx context.Context) (*Operation, error) {
	response, err := unary[v1.SettleIndexesResponse](ctx, operations.server, v1.OperationService_SettleIndexes_FullMethodName, &v1.SettleIndexesRequest{}, repeated)
	return operations.started(response.GetOperation(), err)
}

// Running gives an operation that was read, to be waited for or cancelled: also one that another program has started. It makes
// no call.
func (operations *Operations) Running(message *v1.Operation) *Operation {
	return &Operation{operations: operations, message: message}
}

func (operations *Operations) started(message *v1.Operation, err error) (*Operation, error) {
	if err != nil {
		return nil, err
	}
	return operations.Running(message), nil
}

// Operation is one that was started here, or that [Operations.Running] gave.
type Operation struct {
	operations *Operations
	message    *v1.Operation
}

// Message is the operation as it was when it was started or read.
func (operation *Operation) Message() *v1.Operation { return operation.message }

// Cancel stops the operation, and gives it as it stands. One that has ended stays as it is.
func (operation *Operation) Cancel(ctx context.Context) (*v1.Operation, error) {
	return operation.operations.Cancel(ctx, operation.message.GetId())
}

// WaitOption is what [Operation.Wait] and the jobs of [Maintenance] take.
type WaitOption interface {
	MaintenanceOption
	wait(*waiting)
}

type waiting struct{ onProgress func(*v1.MaintenanceProgress) }

// OnProgress is called about once a second, by the goroutine that waits, with how far the work has come.
type OnProgress func(*v1.MaintenanceProgress)

func (show OnProgress) wait(waiting *waiting)           { waiting.onProgress = show }
func (show OnProgress) maintain(maintained *maintained) { maintained.waiting.onProgress = show }

// Wait waits for the end, however long it takes, unless the context ends. Why the operation failed is the error. The
// operation goes on when the wait is given up.
func (operation *Operation) Wait(ctx context.Context, options ...WaitOption) (*v1.Operation, error) {
	var chosen waiting
	for _, option := range options {
		option.wait(&chosen)
	}
	return operation.wait(ctx, chosen)
}

func (operation *Operation) wait(ctx context.Context, waiting waiting) (*v1.Operation, error) {
	longest := longestWait
	if waiting.onProgress != nil {
		longest = shortestWait
	}
	// Half the timeout of a call, so that waiting on is the rule and a timeout means trouble.
	longest = min(longest, operation.operations.server.timeout/2)
	latest := operation.message
	for latest.GetState() == v1.OperationState_OPERATION_STATE_RUNNING {
		var err error
		if latest, err = operation.operations.Poll(ctx, latest.GetId(), longest); err != nil {
			return nil, err
		}
		if waiting.onProgress != nil && latest.GetProgress() != nil {
			waiting.onProgress(latest.GetProgress())
		}
	}
	if latest.GetState() == v1.OperationState_OPERATION_STATE_SUCCEEDED {
		return latest, nil
	}
	return latest, operationError(latest)
}

// end waits, and stops the operation when that is given up.
func (operation *Operation) end(ctx context.Context, waiting waiting) (*v1.Operation, error) {
	ended, err := operation.wait(ctx, waiting)
	if err != nil && ended == nil {
		detached, cancel := context.WithTimeout(context.WithoutCancel(ctx), cancelTime)
		defer cancel()
		operation.Cancel(detached) // it forgets itself in any case
	}
	return ended, err
}

func operationError(operation *v1.Operation) error {
	if known := errorFromStatus(status.FromProto(operation.GetError())); known != nil {
		return known
	}
	reason, state := Internal, "failed"
	if operation.GetState() == v1.OperationState_OPERATION_STATE_CANCELLED {
		reason, state = Cancelled, "cancelled"
	}
	return newError(reason, Error{
		Message:  fmt.Sprintf("The operation %s ended as %s.", operation.GetId(), state),
		Resource: operation.GetId(),
		Advice:   "Try again.",
	})
}

// Settled waits until every index holds what was committed before the call, however long it takes, unless the context ends.
func (client *Client) Settled(ctx context.Context) error {
	operation, err := client.Operations.Settle(ctx)
	if err != nil {
		return err
	}
	_, err = operation.end(ctx, waiting{})
	return err
}
