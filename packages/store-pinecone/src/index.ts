export { openPineconeStore, type PineconeStoreOptions } from "./pinecone-store.ts";
