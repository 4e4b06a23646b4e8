package loci

import (
	"context"
	"fmt"
	"iter"

	"google.golang.org/protobuf/proto"

	v1 "loci/client-go/lociv1"
)

// Maintenance keeps a deployment in order. Each job needs the role admin; those that concern every tenant need operate.
type Maintenance struct{ server *server }

// MaintenanceOption is what the jobs take: [DryRun] and [OnProgress].
type MaintenanceOption interface{ maintain(*maintained) }

type maintained struct {
	waiting waiting
	dryRun  bool
}

// DryRun finds out and reports what would be done, and changes nothing.
type DryRun bool

func (dryRun DryRun) maintain(maintained *maintained) { maintained.dryRun = bool(dryRun) }

// Start starts a job and does not wait for it. It is sent once: twice would do the work twice.
func (maintenance *Maintenance) Start(ctx context.Context, request *v1.StartMaintenanceRequest) (*Operation, error) {
	response, err := unary[v1.StartMaintenanceResponse](ctx, maintenance.server, v1.MaintenanceService_StartMaintenance_FullMethodName, request, sentOnce)
	return (&Operations{maintenance.server}).started(response.GetOperation(), err)
}

// Run does a job and gives its report. It is stopped when the context ends before.
func (maintenance *Maintenance) Run(ctx context.Context, job *v1.MaintenanceJob, options ...MaintenanceOption) (*v1.MaintenanceReport, error) {
	var chosen maintained
	for _, option := range options {
		option.maintain(&chosen)
	}
	operation, err := maintenance.Start(ctx, &v1.StartMaintenanceRequest{Job: job, ValidateOnly: chosen.dryRun})
	if err != nil {
		return nil, err
	}
	ended, err := operation.end(ctx, chosen.waiting)
	if err != nil {
		return nil, err
	}
	if report := ended.GetMaintenance(); report != nil {
		return report, nil
	}
	// Servers of the version before give a report, and nothing else.
	if report := ended.GetReport(); report != nil {
		return report, nil
	}
	return nil, newError(Internal, Error{Message: fmt.Sprintf("The operation %s ended without a report.", ended.GetId())})
}

// Reindex moves the indexes while they are in use. It concerns every tenant.
func (maintenance *Maintenance) Reindex(ctx context.Context, job *v1.ReindexJob, options ...MaintenanceOption) (*v1.MaintenanceReport, error) {
	return maintenance.Run(ctx, &v1.MaintenanceJob{Job: &v1.MaintenanceJob_Reindex{Reindex: job}}, options...)
}

// Verify compares ledger and indexes.
func (maintenance *Maintenance) Verify(ctx context.Context, job *v1.VerifyJob, options ...MaintenanceOption) (*v1.MaintenanceReport, error) {
	return maintenance.Run(ctx, &v1.MaintenanceJob{Job: &v1.MaintenanceJob_Verify{Verify: job}}, options...)
}

// Expire turns what has expired into tombstones.
func (maintenance *Maintenance) Expire(ctx context.Context, job *v1.ExpireJob, options ...MaintenanceOption) (*v1.MaintenanceReport, error) {
	return maintenance.Run(ctx, &v1.MaintenanceJob{Job: &v1.MaintenanceJob_Expire{Expire: job}}, options...)
}

// Prune archives memories that have faded, and removes for good what was archived long ago.
func (maintenance *Maintenance) Prune(ctx context.Context, job *v1.PruneJob, options ...MaintenanceOption) (*v1.MaintenanceReport, error) {
	return maintenance.Run(ctx, &v1.MaintenanceJob{Job: &v1.MaintenanceJob_Prune{Prune: job}}, options...)
}

// Compact gives back space and keeps searching fast. It concerns every tenant.
func (maintenance *Maintenance) Compact(ctx context.Context, options ...MaintenanceOption) (*v1.MaintenanceReport, error) {
	return maintenance.Run(ctx, &v1.MaintenanceJob{Job: &v1.MaintenanceJob_Compact{Compact: &v1.CompactJob{}}}, options...)
}

// Encrypt seals everything under the current encryption key, so that other keys can be taken away. It concerns every tenant.
func (maintenance *Maintenance) Encrypt(ctx context.Context, options ...MaintenanceOption) (*v1.MaintenanceReport, error) {
	return maintenance.Run(ctx, &v1.MaintenanceJob{Job: &v1.MaintenanceJob_Encrypt{Encrypt: &v1.EncryptJob{}}}, options...)
}

// Reweigh sets importance anew from how memories were used.
func (maintenance *Maintenance) Reweigh(ctx context.Context, job *v1.ReweighJob, options ...MaintenanceOption) (*v1.MaintenanceReport, error) {
	return maintenance.Run(ctx, &v1.MaintenanceJob{Job: &v1.MaintenanceJob_Reweigh{Reweigh: job}}, options...)
}

// Review lists what a person should look at. It changes nothing.
func (maintenance *Maintenance) Review(ctx context.Context, job *v1.ReviewJob, options ...MaintenanceOption) (*v1.MaintenanceReport, error) {
	return maintenance.Run(ctx, &v1.MaintenanceJob{Job: &v1.MaintenanceJob_Review{Review: job}}, options...)
}

// Backup copies the ledger while it is in use, into a directory of that name in the server's backup directory. It concerns
// every tenant.
func (maintenance *Maintenance) Backup(ctx context.Context, directory string, options ...MaintenanceOption) (*v1.MaintenanceReport, error) {
	return maintenance.Run(ctx, &v1.MaintenanceJob{Job: &v1.MaintenanceJob_Backup{Backup: &v1.BackupJob{Directory: directory}}}, options...)
}

// Erase removes for good everything of a user, of a scope, or of the tenant. Its report is the receipt.
func (maintenance *Maintenance) Erase(ctx context.Context, job *v1.EraseJob, options ...MaintenanceOption) (*v1.MaintenanceReport, error) {
	return maintenance.Run(ctx, &v1.MaintenanceJob{Job: &v1.MaintenanceJob_Erase{Erase: job}}, options...)
}

// ExportMemories reads everything that the tenant has, one JSON object a memory, each without a line break, and asks for pages
// as they are needed: 1 to 1,000 memories, by default 500, and at most 2 MiB. [Maintenance.ImportMemories] takes the lines. An
// error ends it. [Memories.Export] reads it over a stream, with the ids.
func (maintenance *Maintenance) ExportMemories(ctx context.Context, options ...PageOption) iter.Seq2[string, error] {
	return items(maintenance.ExportPages(ctx, options...), (*v1.ExportMemoriesResponse).GetLines)
}

// ExportPages gives what [Maintenance.ExportMemories] does, a page at a time, for programs that cannot hold a stream open.
func (maintenance *Maintenance) ExportPages(ctx context.Context, options ...PageOption) iter.Seq2[*v1.ExportMemoriesResponse, error] {
	given := pagingOf(options)
	request := &v1.ExportMemoriesRequest{PageSize: given.size, PageToken: given.token}
	return pages[v1.ExportMemoriesResponse](ctx, maintenance.server, v1.MaintenanceService_ExportMemories_FullMethodName, request)
}

// ImportMemories stores exported memories, 1 to 1,000 lines, under the ids they have. What is there already stays as it is.
func (maintenance *Maintenance) ImportMemories(ctx context.Context, lines []string) (*v1.ImportMemoriesResponse, error) {
	return unary[v1.ImportMemoriesResponse](ctx, maintenance.server, v1.MaintenanceService_ImportMemories_FullMethodName, &v1.ImportMemoriesRequest{Lines: lines}, repeated)
}

// ExportRecords reads everything that is kept for the tenant, or the parts and scopes of the request: memories, blocks, sessions
// and captures, a line each. It needs the role admin. When the connection is lost it goes on behind the last answer. A program
// that begins again says where with after. [Maintenance.ImportRecords] takes the lines.
func (maintenance *Maintenance) ExportRecords(ctx context.Context, request *v1.ExportRecordsRequest) iter.Seq2[*v1.ExportRecordsResponse, error] {
	behind := func(answer *v1.ExportRecordsResponse) proto.Message {
		return &v1.ExportRecordsRequest{Parts: request.GetParts(), Scopes: request.GetScopes(), After: answer.GetPlace()}
	}
	return stream(ctx, maintenance.server, v1.MaintenanceService_ExportRecords_FullMethodName, request, behind)
}

// ImportRecords stores lines of an export, 1 to 1,000 in its order, under the ids and names they have. What is there already stays
// as it is, and what was deleted or erased stays so.
func (maintenance *Maintenance) ImportRecords(ctx context.Context, lines []string) (*v1.ImportRecordsResponse, error) {
	return unary[v1.ImportRecordsResponse](ctx, maintenance.server, v1.MaintenanceService_ImportRecords_FullMethodName, &v1.ImportRecordsRequest{Lines: lines}, repeated)
}
