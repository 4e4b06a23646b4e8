package loci

import (
	"context"

	v1 "loci/client-go/lociv1"
)

// Budget guards model calls.
type Budget struct{ server *server }

// Check says whether a model call fits its budget.
func (budget *Budget) Check(ctx context.Context, request *v1.CheckBudgetRequest) (*v1.CheckBudgetResponse, error) {
	return unary[v1.CheckBudgetResponse](ctx, budget.server, v1.ContextService_CheckBudget_FullMethodName, request, repeated)
}

// Enforce makes messages fit the budget of a model call, or stops the call. It stops it too when it could go over a usage cap.
func (budget *Budget) Enforce(ctx context.Context, request *v1.EnforceBudgetRequest) (*v1.EnforceBudgetResponse, error) {
	return unary[v1.EnforceBudgetResponse](ctx, budget.server, v1.ContextService_EnforceBudget_FullMethodName, request, repeated)
}

// Trim drops the oldest messages until the rest fits.
func (budget *Budget) Trim(ctx context.Context, request *v1.TrimMessagesRequest) (*v1.TrimMessagesResponse, error) {
	return unary[v1.TrimMessagesResponse](ctx, budget.server, v1.ContextService_TrimMessages_FullMethodName, request, repeated)
}

// Record adds what a model call used to its session and tenant, once, and gives the totals with that call.
func (budget *Budget) Record(ctx context.Context, request *v1.RecordModelUsageRequest) (*v1.ModelUsageTotals, error) {
	response, err := unary[v1.RecordModelUsageResponse](ctx, budget.server, v1.ContextService_RecordModelUsage_FullMethodName, withKey(request), repeated)
	return response.GetTotals(), err
}

// Totals reads what the model calls of a session used, or of the whole tenant.
func (budget *Budget) Totals(ctx context.Context, request *v1.GetModelUsageTotalsRequest) (*v1.ModelUsageTotals, error) {
	response, err := unary[v1.GetModelUsageTotalsResponse](ctx, budget.server, v1.ContextService_GetModelUsageTotals_FullMethodName, request, repeated)
	return response.GetTotals(), err
}

// Tokens counts.
type Tokens struct{ server *server }

// CountOption is what [Tokens.Count] takes.
type CountOption interface{ count(*v1.CountTokensRequest) }

// Model is the name of a language model, whose tokenizer counts. Default: the tokenizer o200k_base.
type Model string

func (model Model) count(request *v1.CountTokensRequest) { request.Model = (*string)(&model) }

// Count counts the tokens of a text.
func (tokens *Tokens) Count(ctx context.Context, text string, options ...CountOption) (*v1.CountTokensResponse, error) {
	request := &v1.CountTokensRequest{Text: text}
	for _, option := range options {
		option.count(request)
	}
	return unary[v1.CountTokensResponse](ctx, tokens.server, v1.ContextService_CountTokens_FullMethodName, request, repeated)
}
