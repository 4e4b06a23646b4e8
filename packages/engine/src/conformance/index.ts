export { type BehaviourFixture, behaviourMetadata, behaviourReceipts } from "./behaviour-case.ts";
export { filledOwners, filledScopes, fillTenant } from "./filled-tenant.ts";
export { lociBehaviour, type LociBehaviourOptions } from "./loci-behaviour.ts";
export { indexAgreement, type IndexAgreementFixture, type IndexAgreementOptions } from "./index-agreement.ts";
export { tenantAnswers } from "./tenant-answers.ts";
