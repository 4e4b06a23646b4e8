package loci

import (
	"context"
	"iter"

	v1 "loci/client-go/lociv1"
)

// Receipts tells what contexts were made of that were assembled lately: ids, versions and numbers, and no text.
type Receipts struct{ server *server }

// List gives the receipts that the credential may read, newest first, and asks for pages as they are needed. An error ends it.
func (receipts *Receipts) List(ctx context.Context, options ...PageOption) iter.Seq2[*v1.KeptReceiptSummary, error] {
	return items(receipts.Pages(ctx, options...), (*v1.ListReceiptsResponse).GetReceipts)
}

// Pages gives what [Receipts.List] does, a page at a time, each with how long the server keeps receipts.
func (receipts *Receipts) Pages(ctx context.Context, options ...PageOption) iter.Seq2[*v1.ListReceiptsResponse, error] {
	given := pagingOf(options)
	request := &v1.ListReceiptsRequest{PageSize: given.size, PageToken: given.token}
	return pages[v1.ListReceiptsResponse](ctx, receipts.server, v1.ContextService_ListReceipts_FullMethodName, request)
}

// Get reads what a context was made of. One that the credential may not read is [ErrNotFound], too.
func (receipts *Receipts) Get(ctx context.Context, id string) (*v1.KeptReceipt, error) {
	response, err := unary[v1.GetReceiptResponse](ctx, receipts.server, v1.ContextService_GetReceipt_FullMethodName, &v1.GetReceiptRequest{Id: id}, repeated)
	return response.GetReceipt(), err
}
