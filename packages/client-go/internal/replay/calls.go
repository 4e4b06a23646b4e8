package main

// callOf finds the RPC of a path, such as /loci.v1.MemoryService/GetMemory.
func callOf(path string) (found call, known bool) {
	for _, calls := range []map[string]call{memoryCalls, contextCalls, sessionCalls, blockCalls, captureCalls, operationCalls, statusCalls} {
		if found, known = calls[path]; known {
			return found, true
		}
	}
	return call{}, false
}
