package main

import (
	"context"
	"iter"

	loci "loci/client-go"
	v1 "loci/client-go/lociv1"
)

// contextCalls are the RPCs of ContextService, by their paths.
var contextCalls = map[string]call{
	v1.ContextService_AssembleContext_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.AssembleContextRequest) (*v1.AssembleContextResponse, error) {
		return client.Assemble(ctx, request)
	}),
	v1.ContextService_ListReceipts_FullMethodName: many(func(ctx context.Context, client *loci.Client, request *v1.ListReceiptsRequest) iter.Seq2[*v1.ListReceiptsResponse, error] {
		return client.Receipts.Pages(ctx, paging(request.PageSize, request.GetPageToken())...)
	}),
	v1.ContextService_GetReceipt_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.GetReceiptRequest) (*v1.GetReceiptResponse, error) {
		answer, err := client.Receipts.Get(ctx, request.GetId())
		return &v1.GetReceiptResponse{Receipt: answer}, err
	}),
	v1.ContextService_CountTokens_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.CountTokensRequest) (*v1.CountTokensResponse, error) {
		if request.Model == nil {
			return client.Tokens.Count(ctx, request.GetText())
		}
		return client.Tokens.Count(ctx, request.GetText(), loci.Model(request.GetModel()))
	}),
	v1.ContextService_CheckBudget_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.CheckBudgetRequest) (*v1.CheckBudgetResponse, error) {
		return client.Budget.Check(ctx, request)
	}),
	v1.ContextService_EnforceBudget_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.EnforceBudgetRequest) (*v1.EnforceBudgetResponse, error) {
		return client.Budget.Enforce(ctx, request)
	}),
	v1.ContextService_TrimMessages_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.TrimMessagesRequest) (*v1.TrimMessagesResponse, error) {
		return client.Budget.Trim(ctx, request)
	}),
	v1.ContextService_RecordModelUsage_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.RecordModelUsageRequest) (*v1.RecordModelUsageResponse, error) {
		totals, err := client.Budget.Record(ctx, request)
		return &v1.RecordModelUsageResponse{Totals: totals}, err
	}),
	v1.ContextService_GetModelUsageTotals_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.GetModelUsageTotalsRequest) (*v1.GetModelUsageTotalsResponse, error) {
		totals, err := client.Budget.Totals(ctx, request)
		return &v1.GetModelUsageTotalsResponse{Totals: totals}, err
	}),
}
