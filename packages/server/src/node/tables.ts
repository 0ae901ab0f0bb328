import { idempotencyTables } from '../calls/idempotency/tables.ts';
import { quotaTables } from '../calls/quotas/tables.ts';
import { functionTables } from '../features/code/functions/tables.ts';
import { scheduleTables } from '../features/code/schedules/tables.ts';
import { apiKeyTables } from '../features/control/api-keys/tables.ts';
import { projectTables } from '../features/control/projects/tables.ts';
import { requestTables } from '../features/control/requests/tables.ts';
import { usageTables } from '../features/control/usage/tables.ts';
import { collectionTables } from '../features/data/collections/tables.ts';
import { fieldNameTables } from '../features/data/field-names/tables.ts';
import { indexTables } from '../features/data/indexes/tables.ts';
import { linkTables } from '../features/data/links/tables.ts';
import { placementTables } from '../features/data/placement/tables.ts';
import { queryShapeTables } from '../features/data/query-shapes/tables.ts';
import { uniqueValueTables } from '../features/data/unique-values/tables.ts';
import { deliveryTables } from '../features/deliveries/tables.ts';
import { fileTables } from '../features/files/records/tables.ts';
import { uploadTables } from '../features/files/uploads/tables.ts';
import { liveTables } from '../features/live/transports/tables.ts';
import { accountIdentityTables } from '../features/management/account-openid/tables.ts';
import { accountPasskeyTables } from '../features/management/account-passkeys/tables.ts';
import { accountTables } from '../features/management/accounts/tables.ts';
import { auditTables } from '../features/management/audit/tables.ts';
import { memberTables } from '../features/management/members/tables.ts';
import { identityTables } from '../features/people/identities/tables.ts';
import { mailTextTables } from '../features/people/mail-texts/tables.ts';
import { messageTables } from '../features/people/messages/tables.ts';
import { newDeviceTables } from '../features/people/new-device/tables.ts';
import { oneTimeSecretTables } from '../features/people/one-time-secrets/tables.ts';
import { passkeyTables } from '../features/people/passkeys/tables.ts';
import { phoneSignInTables } from '../features/people/phone-sign-in/tables.ts';
import { secondStepTables } from '../features/people/second-step/tables.ts';
import { sessionTables } from '../features/people/sessions/tables.ts';
import { tokenTables } from '../features/people/tokens/tables.ts';
import { userRecordTables } from '../features/people/user-records/tables.ts';
import { webhookTables } from '../features/webhooks/tables.ts';
import { changeFeedTables } from '../platform/change-feed/tables.ts';
import { invalidationTables } from '../platform/invalidation/tables.ts';
import { jobTables } from '../platform/jobs/tables.ts';
import type { OwnedTable } from '../platform/tables/owned-table.ts';
import { removalTables } from '../platform/tables/tables.ts';

/** Every table of the service, as its owner describes it. */
export const tables: readonly OwnedTable[] = [
  ...removalTables,
  ...jobTables,
  ...changeFeedTables,
  ...invalidationTables,
  ...idempotencyTables,
  ...quotaTables,
  ...tokenTables,
  ...userRecordTables,
  ...sessionTables,
  ...projectTables,
  ...accountTables,
  ...accountPasskeyTables,
  ...accountIdentityTables,
  ...memberTables,
  ...auditTables,
  ...requestTables,
  ...usageTables,
  ...apiKeyTables,
  ...collectionTables,
  ...placementTables,
  ...indexTables,
  ...uniqueValueTables,
  ...queryShapeTables,
  ...linkTables,
  ...fieldNameTables,
  ...fileTables,
  ...uploadTables,
  ...oneTimeSecretTables,
  ...phoneSignInTables,
  ...secondStepTables,
  ...newDeviceTables,
  ...identityTables,
  ...passkeyTables,
  ...messageTables,
  ...mailTextTables,
  ...liveTables,
  ...functionTables,
  ...scheduleTables,
  ...deliveryTables,
  ...webhookTables,
];
