import type { Selectable } from 'kysely'
import type { NewChannel } from '../../src/channels/channels.ts'
import type { AccountTable } from '../../src/tables/ledger.ts'
import type { UsageLogRow } from '../../src/tables/logs.ts'
import type { NewToken } from '../../src/accounts/tokens.ts'
import type { NewUser } from '../../src/accounts/user-changes.ts'

/** Rows with every field set, so that a test names only the fields it is about. */

export const someUser: NewUser = {
  username: 'Alice',
  password_hash: 'hash',
  display_name: 'Alice',
  role: 1,
  created_ms: 1_750_000_000_123,
}

export const someToken: NewToken = {
  user_id: 1,
  name: 'token',
  key_hash: 'hash',
  key_sealed: 'sealed',
  key_preview: 'abc***xyz',
  status: 1,
  created_time: 1,
  expired_time: -1,
  unlimited_quota: 0,
  model_limits_enabled: 0,
  model_limits: '',
  allow_ips: '',
  group_name: '',
}

export const someChannel: NewChannel = {
  type: 1,
  name: 'main',
  key_preview: 'sk-abc***wxyz',
  status: 1,
  base_url: '',
  other: '',
  models: 'gpt-4o',
  group_names: 'default',
  model_mapping: '',
  status_code_mapping: '',
  model_prefix: '',
  openai_organization: '',
  test_model: '',
  tag: '',
  remark: '',
  priority: 0,
  weight: 0,
  auto_ban: 1,
  created_time: 1,
}

export const someLog: UsageLogRow = {
  request_id: null,
  user_id: 1,
  created_at: 1_750_000_000,
  type: 2,
  content: '',
  username: 'alice',
  token_id: 1,
  token_name: 'token',
  model_name: 'gpt-4o',
  quota: 10n,
  prompt_tokens: 1,
  completion_tokens: 2,
  use_time: 3,
  duration_ms: 3_000,
  first_byte_ms: 100,
  is_stream: 1,
  channel_id: 1,
  group_name: 'default',
  ip: '',
  other: '',
}

type AccountRow = Selectable<AccountTable>

export function accountRow(ownerId: number, fields: Partial<AccountRow> = {}): AccountRow {
  return {
    id: ownerId * 4,
    kind: 'user',
    owner_id: ownerId,
    granted: 0n,
    remaining: 0n,
    reserved: 0n,
    used: 0n,
    debt: 0n,
    followed: 0n,
    unlimited: 0,
    version: 1,
    open_holds: 0,
    budget_since_ms: 0,
    budget_base: 0n,
    exposed: 0n,
    scarce_until_ms: 0,
    paid: 0,
    ...fields,
  }
}
