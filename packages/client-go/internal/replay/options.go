package main

import (
	loci "loci/client-go"
	v1 "loci/client-go/lociv1"
)

// memoryFields are the fields of a memory that the client's options set and change, by their paths in an update mask.
func memoryFields(memory *v1.Memory) map[string]loci.MemoryField {
	fields := map[string]loci.MemoryField{}
	if memory.Importance != nil {
		fields["importance"] = loci.Importance(memory.GetImportance())
	}
	if memory.Confidence != nil {
		fields["confidence"] = loci.Confidence(memory.GetConfidence())
	}
	if memory.IsStatic != nil {
		fields["is_static"] = loci.Static(memory.GetIsStatic())
	}
	if memory.IsPinned != nil {
		fields["is_pinned"] = loci.Pinned(memory.GetIsPinned())
	}
	if len(memory.Tags) > 0 {
		fields["tags"] = loci.Tags(memory.GetTags()...)
	}
	if memory.Slot != nil {
		fields["slot"] = loci.Slot(memory.GetSlot())
	}
	if memory.Provenance != nil {
		fields["provenance"] = loci.Source(memory.GetProvenance())
	}
	if len(memory.Metadata) > 0 {
		fields["metadata"] = loci.Metadata(memory.GetMetadata())
	}
	if memory.ValidFrom != nil {
		fields["valid_from"] = loci.ValidFrom(memory.GetValidFrom().AsTime())
	}
	if memory.ValidTo != nil {
		fields["valid_to"] = loci.ValidTo(memory.GetValidTo().AsTime())
	}
	if memory.ExpireTime != nil {
		fields["expire_time"] = loci.Expires(memory.GetExpireTime().AsTime())
	}
	if memory.SupersededBy != nil {
		fields["superseded_by"] = loci.SupersededBy(memory.GetSupersededBy())
	}
	return fields
}

func rememberOptions(request *v1.CreateMemoryRequest) (options []loci.RememberOption) {
	memory := request.GetMemory()
	if memory == nil {
		memory = &v1.Memory{}
	}
	for _, field := range memoryFields(memory) {
		options = append(options, field)
	}
	if memory.Category != nil {
		options = append(options, loci.Category(memory.GetCategory()))
	}
	if memory.Key != nil {
		options = append(options, loci.Key(memory.GetKey()))
	}
	if memory.CreateTime != nil {
		options = append(options, loci.SaidAt(memory.GetCreateTime().AsTime()))
	}
	if request.GetRequestId() != "" {
		options = append(options, loci.RequestID(request.GetRequestId()))
	}
	return append(options, loci.FromOrigin(memory.GetOrigin()), loci.Trusted(memory.GetTrust()), loci.Repeating(memory.GetRepeat()))
}

func updateOptions(request *v1.UpdateMemoryRequest) (options []loci.UpdateOption) {
	memory := request.GetMemory()
	if memory == nil {
		memory = &v1.Memory{}
	}
	fields := memoryFields(memory)
	for _, path := range request.GetUpdateMask().GetPaths() {
		field, given := fields[path]
		switch {
		case given:
			options = append(options, field)
		case path == "text":
			options = append(options, loci.Text(memory.GetText()))
		case path == "category" && memory.Category != nil:
			options = append(options, loci.Category(memory.GetCategory()))
		default:
			options = append(options, loci.Remove(path))
		}
	}
	if request.GetAllowMissing() {
		options = append(options, loci.AllowMissing{})
	}
	if request.GetRequestId() != "" {
		options = append(options, loci.RequestID(request.GetRequestId()))
	}
	return options
}

func listOptions(request *v1.ListMemoriesRequest) (options []loci.ListOption) {
	for _, category := range request.GetCategories() {
		options = append(options, loci.Category(category))
	}
	for _, state := range request.GetStates() {
		options = append(options, loci.InState(state))
	}
	if request.ValidAt != nil {
		options = append(options, loci.ValidAt(request.GetValidAt().AsTime()))
	}
	if request.PageSize != nil {
		options = append(options, loci.PageSize(request.GetPageSize()))
	}
	if request.EvaluationTime != nil {
		options = append(options, loci.AsOf(request.GetEvaluationTime().AsTime()))
	}
	return append(options, loci.PageToken(request.GetPageToken()))
}

func scopeOptions(request *v1.ListMemoryScopesRequest) (options []loci.ScopeOption) {
	if request.PageSize != nil {
		options = append(options, loci.PageSize(request.GetPageSize()))
	}
	return append(options, loci.OfKind(request.GetKind()), loci.PageToken(request.GetPageToken()))
}

func recallOptions(request *v1.RecallMemoriesRequest) (options []loci.RecallOption) {
	if request.Options != nil {
		options = append(options, loci.Searching(request.GetOptions()))
	}
	if request.EvaluationTime != nil {
		options = append(options, loci.AsOf(request.GetEvaluationTime().AsTime()))
	}
	if request.Explain != nil {
		options = append(options, loci.Explain(request.GetExplain()))
	}
	if request.Also != nil {
		options = append(options, loci.Account(request.GetAlso()...))
	}
	if request.RecordUsage != nil {
		options = append(options, loci.RecordUsage(request.GetRecordUsage()))
	}
	return options
}

// key is the idempotency key, when the step has one of its own.
func key(requestID string) []loci.WriteOption {
	if requestID == "" {
		return nil
	}
	return []loci.WriteOption{loci.RequestID(requestID)}
}

func condition(etag *string, requestID string) (options []loci.ConditionOption) {
	if etag != nil {
		options = append(options, loci.Etag(*etag))
	}
	if requestID != "" {
		options = append(options, loci.RequestID(requestID))
	}
	return options
}

func paging(size *int32, token string) (options []loci.PageOption) {
	if size != nil {
		options = append(options, loci.PageSize(*size))
	}
	return append(options, loci.PageToken(token))
}
