import { parseJson } from '@tollgate/kit/json'

/**
 * The keys under which the console stores data in the browser. Keys that consoles of new-api also use keep
 * their names.
 */
export const storageKeys = {
  user: 'user',
  status: 'status',
  quotaPerUnit: 'quota_per_unit',
  displayInCurrency: 'display_in_currency',
  pageSize: 'page-size',
  sideMenuFolded: 'default_collapse_sidebar',
  enableDataExport: 'enable_data_export',
  enableDrawing: 'enable_drawing',
  enableTask: 'enable_task',
  drawingNotifyEnabled: 'mj_notify_enabled',
  chats: 'chats',
  footerHtml: 'footer_html',
  closedNotice: 'notice',
  themeMode: 'theme-mode',
  language: 'i18nextLng',
  aff: 'aff',
  modelsExpanded: 'modelsExpanded',
  chatMenuOpen: 'chat-menu-open',
  trustedChatLinks: 'trusted-chat-links',
  channelsById: 'id-sort',
  channelsByTag: 'channel-tag-mode',
} as const

/** A browser may refuse storage (private mode, policy). The console then works without stored data. */
export function readText(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

export function writeText(key: string, value: string): void {
  attempt(() => localStorage.setItem(key, value))
}

export function removeKey(key: string): void {
  attempt(() => localStorage.removeItem(key))
}

/** The parsed value, or `undefined` if it is missing or invalid. The caller must check its shape. */
export function readJson(key: string): unknown {
  const text = readText(key)
  return text === null ? undefined : parseJson(text)
}

export function writeJson(key: string, value: unknown): void {
  writeText(key, JSON.stringify(value))
}

function attempt(write: () => void): void {
  try {
    write()
  } catch {
    // Storage is full or blocked. The remembered value is only a convenience, so the error is ignored.
  }
}
