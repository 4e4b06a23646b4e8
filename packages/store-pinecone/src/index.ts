export { openPineconeStore, type PineconeStoreOptions, removePineconeStore } from "./pinecone-store.ts";
