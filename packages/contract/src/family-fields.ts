import { z } from 'zod'

/**
 * Fields that consoles and scripts of new-api send and that end or limit something. Each is honoured, or refused
 * in words when it says something: ignoring it would leave open what its sender believes to be closed.
 * Sources: the structs and controllers of new-api v1.0.0-rc.24 (2026-08-15).
 */
export interface FamilyField {
  /** Method and path of the route. */
  readonly route: string
  readonly field: string
  readonly verdict: 'honoured' | 'refused'
}

function listFields(route: string, verdict: FamilyField['verdict'], fields: string): readonly FamilyField[] {
  return fields.split(' ').map((field) => ({ route, field, verdict }))
}

const TOKEN =
  'expired_time remain_quota unlimited_quota model_limits_enabled model_limits allow_ips group auto_groups cross_group_retry'
const CHANNEL =
  'status models group status_code_mapping param_override header_override setting settings auto_ban priority weight'

export const familyFields: readonly FamilyField[] = [
  ...listFields('POST /api/token', 'honoured', TOKEN),
  ...listFields('PUT /api/token', 'honoured', `${TOKEN} status`),
  ...listFields('POST /api/redemption', 'honoured', 'quota count expired_time'),
  ...listFields('PUT /api/redemption', 'honoured', 'quota expired_time status'),
  ...listFields('POST /api/channel', 'honoured', CHANNEL),
  ...listFields('PUT /api/channel', 'honoured', `${CHANNEL} key_mode`),
  ...listFields('PUT /api/channel/tag', 'honoured', 'models groups priority weight'),
  ...listFields('PUT /api/channel/tag', 'refused', 'param_override header_override'),
  ...listFields('POST /api/user', 'honoured', 'role password'),
  ...listFields('PUT /api/user', 'honoured', 'role group quota password remark'),
  ...listFields('PUT /api/user', 'refused', 'admin_permissions'),
  ...listFields('POST /api/user/manage', 'honoured', 'action'),
  ...listFields('PUT /api/user/setting', 'honoured', 'notify_type quota_warning_threshold webhook_url'),
  ...listFields('PUT /api/user/setting', 'honoured', 'accept_unset_model_ratio_model notification_email'),
]

/** A field that this version does not have: refused when it says something. */
export function defineRefusedField() {
  return z
    .unknown()
    .refine(isNothing, { error: 'family_field_refused' })
    .optional()
    .describe('Of new-api; refused unless it is empty.')
}

function isNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false || value === 0) return true
  if (typeof value === 'string') return /^\s*(\{\s*\}|\[\s*\]|null)?\s*$/.test(value)
  return typeof value === 'object' && Object.keys(value).length === 0
}
