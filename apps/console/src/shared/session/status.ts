import { queryOptions, useQuery } from '@tanstack/react-query'
import { type Status, statusRoutes } from '@tollgate/contract/status'
import { api } from '../api/client.ts'
import { readJson, storageKeys, writeJson, writeText } from './storage.ts'

/** The values assumed until the server has responded. */
const unknownStatus: Status = {
  version: '',
  start_time: 0,
  setup: true,
  system_name: 'Tollgate',
  logo: '',
  footer_html: '',
  server_address: '',
  docs_link: '',
  top_up_link: '',
  quota_per_unit: 500_000,
  display_in_currency: true,
  price: 7.3,
  min_topup: 1,
  quota_remind_threshold: 1000,
  enable_online_topup: false,
  enable_batch_update: false,
  enable_drawing: false,
  enable_task: false,
  enable_data_export: false,
  data_export_default_time: 'hour',
  default_collapse_sidebar: false,
  mj_notify_enabled: false,
  chats: [],
  chat_link: '',
  chat_link2: '',
  demo_site_enabled: false,
  self_use_mode_enabled: false,
  check_in_enabled: false,
  checkin_enabled: false,
  password_login_enabled: true,
  register_enabled: false,
  password_register_enabled: true,
  password_reset_enabled: false,
  email_verification: false,
  turnstile_check: false,
  turnstile_site_key: '',
  github_oauth: false,
  github_client_id: '',
  linuxdo_oauth: false,
  linuxdo_client_id: '',
  telegram_oauth: false,
  telegram_bot_name: '',
  wechat_login: false,
  wechat_qrcode: '',
  oidc_enabled: false,
  oidc_client_id: '',
  oidc_authorization_endpoint: '',
}

/** `GET /api/status`, stored in the browser so that the next visit starts with the last known values. */
export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: async ({ signal }) => remember(await api.call(statusRoutes.read, { signal })),
  staleTime: 60_000,
})

/** The last known status of the site; never waits. */
export function useStatus(): Status {
  const { data } = useQuery(statusQuery)
  return data ?? rememberedStatus() ?? unknownStatus
}

/** The address of this gateway for clients, without a trailing slash. */
export function useServerAddress(): string {
  return serverAddressOf(useStatus())
}

export function serverAddressOf({ server_address: configured }: Pick<Status, 'server_address'>): string {
  return configured === '' ? globalThis.location.origin : configured.replace(/\/+$/, '')
}

/** Whether a visitor may register, with a password or through a sign-in provider. */
export function canRegister(status: Status): boolean {
  return status.register_enabled && !status.self_use_mode_enabled
}

/** The status of the last visit. A completed setup is permanent, so a route guard may trust `setup: true`. */
export function rememberedStatus(): Status | undefined {
  const stored = readJson(storageKeys.status)
  if (typeof stored !== 'object' || stored === null) return undefined
  return { ...unknownStatus, ...ofKnownTypes(stored) }
}

/** Keeps only fields of the expected type, because another version of the console may have written them. */
function ofKnownTypes(stored: object): Partial<Status> {
  const known = new Map<string, unknown>(Object.entries(unknownStatus))
  return Object.fromEntries(
    Object.entries(stored).filter(([key, value]) => known.has(key) && typeof value === typeof known.get(key)),
  )
}

function remember(status: Status): Status {
  writeJson(storageKeys.status, status)
  writeText(storageKeys.quotaPerUnit, String(status.quota_per_unit))
  writeText(storageKeys.displayInCurrency, String(status.display_in_currency))
  writeText(storageKeys.enableDrawing, String(status.enable_drawing))
  writeText(storageKeys.enableTask, String(status.enable_task))
  writeText(storageKeys.enableDataExport, String(status.enable_data_export))
  writeText(storageKeys.drawingNotifyEnabled, String(status.mj_notify_enabled))
  writeText(storageKeys.footerHtml, status.footer_html)
  writeJson(storageKeys.chats, status.chats)
  return status
}
