import { z } from 'zod'
import { unixSecondsSchema } from './envelope.ts'
import { CONSOLE_BODY_BYTES_MAX, defineRoute, publicReading, siteReading } from './route.ts'

/** What the console needs before sign-in. New-api's names are kept for its consoles. */
export const statusSchema = z.object({
  version: z.string(),
  start_time: unixSecondsSchema,
  setup: z.boolean(),
  system_name: z.string(),
  logo: z.string(),
  footer_html: z.string(),
  server_address: z.string(),
  docs_link: z.string(),
  top_up_link: z.string(),
  quota_per_unit: z.number(),
  display_in_currency: z.boolean(),
  price: z.number(),
  min_topup: z.number(),
  /** Tollgate only: the warning threshold, in quota units, of users who have not set their own. */
  quota_remind_threshold: z.number(),
  enable_online_topup: z.boolean(),
  enable_batch_update: z.boolean(),
  enable_drawing: z.boolean(),
  enable_task: z.boolean(),
  enable_data_export: z.boolean(),
  data_export_default_time: z.enum(['hour', 'day', 'week']),
  default_collapse_sidebar: z.boolean(),
  mj_notify_enabled: z.boolean(),
  chats: z.array(z.record(z.string(), z.string())),
  chat_link: z.string(),
  chat_link2: z.string(),
  demo_site_enabled: z.boolean(),
  self_use_mode_enabled: z.boolean(),
  check_in_enabled: z.boolean(),
  /** The name of the same flag in newer versions of new-api. */
  checkin_enabled: z.boolean(),
  /** Tollgate only: lets the console hide forms that would be refused. */
  password_login_enabled: z.boolean(),
  register_enabled: z.boolean(),
  password_register_enabled: z.boolean(),
  /** Whether a password reset link can be sent by email. */
  password_reset_enabled: z.boolean(),
  email_verification: z.boolean(),
  turnstile_check: z.boolean(),
  turnstile_site_key: z.string(),
  github_oauth: z.boolean(),
  github_client_id: z.string(),
  linuxdo_oauth: z.boolean(),
  linuxdo_client_id: z.string(),
  telegram_oauth: z.boolean(),
  telegram_bot_name: z.string(),
  wechat_login: z.boolean(),
  wechat_qrcode: z.string(),
  oidc_enabled: z.boolean(),
  oidc_client_id: z.string(),
  oidc_authorization_endpoint: z.string(),
})
export type Status = z.output<typeof statusSchema>

/** Data of the project's releases page; requested only when the operator asks for it. */
const updateSchema = z.object({
  current: z.string(),
  latest: z.string(),
  is_newer: z.boolean(),
  /** Page that describes the release, or "". */
  url: z.string(),
  published_at: z.string(),
  /** Release notes as text, at most 4,000 characters. */
  notes: z.string(),
})

const publicRead = { ...publicReading, bodyBytesMax: CONSOLE_BODY_BYTES_MAX } as const

export const statusRoutes = {
  read: defineRoute({
    ...publicRead,
    path: '/api/status',
    summary: 'Public site information that the console needs before a sign-in',
    data: statusSchema,
  }),
  probe: defineRoute({
    ...siteReading,
    bodyBytesMax: CONSOLE_BODY_BYTES_MAX,
    path: '/api/status/test',
    rate: 'probe',
    summary: 'Whether the database responds',
    data: z.null(),
  }),
  checkUpdate: defineRoute({
    ...siteReading,
    bodyBytesMax: CONSOLE_BODY_BYTES_MAX,
    path: '/api/status/update',
    access: 'root',
    rate: 'probe',
    summary: 'Looks up the newest release',
    data: updateSchema,
  }),
  notice: defineRoute({ ...publicRead, path: '/api/notice', summary: 'The announcement', data: z.string() }),
  about: defineRoute({ ...publicRead, path: '/api/about', summary: 'The page "about"', data: z.string() }),
  home: defineRoute({
    ...publicRead,
    path: '/api/home_page_content',
    summary: 'The home page',
    data: z.string(),
  }),
}
