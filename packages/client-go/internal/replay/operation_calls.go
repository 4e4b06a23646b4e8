package main

import (
	"context"
	"iter"
	"time"

	loci "loci/client-go"
	v1 "loci/client-go/lociv1"
)

// operationCalls are the RPCs of OperationService and MaintenanceService, by their paths.
var operationCalls = map[string]call{
	v1.OperationService_SettleIndexes_FullMethodName: one(func(ctx context.Context, client *loci.Client, _ *v1.SettleIndexesRequest) (*v1.SettleIndexesResponse, error) {
		operation, err := client.Operations.Settle(ctx)
		if err != nil {
			return nil, err
		}
		return &v1.SettleIndexesResponse{Operation: operation.Message()}, nil
	}),
	v1.OperationService_GetOperation_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.GetOperationRequest) (*v1.GetOperationResponse, error) {
		operation, err := client.Operations.Get(ctx, request.GetId())
		return &v1.GetOperationResponse{Operation: operation}, err
	}),
	v1.OperationService_WaitOperation_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.WaitOperationRequest) (*v1.WaitOperationResponse, error) {
		wait := 20 * time.Second
		if request.Timeout != nil {
			wait = request.GetTimeout().AsDuration()
		}
		operation, err := client.Operations.Poll(ctx, request.GetId(), wait)
		return &v1.WaitOperationResponse{Operation: operation}, err
	}),
	v1.OperationService_CancelOperation_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.CancelOperationRequest) (*v1.CancelOperationResponse, error) {
		operation, err := client.Operations.Cancel(ctx, request.GetId())
		return &v1.CancelOperationResponse{Operation: operation}, err
	}),
	v1.MaintenanceService_StartMaintenance_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.StartMaintenanceRequest) (*v1.StartMaintenanceResponse, error) {
		operation, err := client.Maintenance.Start(ctx, request)
		if err != nil {
			return nil, err
		}
		return &v1.StartMaintenanceResponse{Operation: operation.Message()}, nil
	}),
	v1.MaintenanceService_ExportMemories_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.ExportMemoriesRequest) (*v1.ExportMemoriesResponse, error) {
		// The first stretch only: unlike a list, the contract's call is for one.
		for page, err := range client.Maintenance.ExportPages(ctx, paging(request.PageSize, request.GetPageToken())...) {
			return page, err
		}
		return nil, nil
	}),
	v1.MaintenanceService_ImportMemories_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.ImportMemoriesRequest) (*v1.ImportMemoriesResponse, error) {
		return client.Maintenance.ImportMemories(ctx, request.GetLines())
	}),
	v1.MaintenanceService_ExportRecords_FullMethodName: many(func(ctx context.Context, client *loci.Client, request *v1.ExportRecordsRequest) iter.Seq2[*v1.ExportRecordsResponse, error] {
		return client.Maintenance.ExportRecords(ctx, request)
	}),
	v1.MaintenanceService_ImportRecords_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.ImportRecordsRequest) (*v1.ImportRecordsResponse, error) {
		return client.Maintenance.ImportRecords(ctx, request.GetLines())
	}),
}
