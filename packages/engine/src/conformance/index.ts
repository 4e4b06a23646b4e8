export { type BehaviourFixture, behaviourMetadata, behaviourReceipts } from "./behaviour-case.ts";
export { lociBehaviour, type LociBehaviourOptions } from "./loci-behaviour.ts";
export { indexAgreement, type IndexAgreementFixture, type IndexAgreementOptions } from "./index-agreement.ts";
