import type { SettingTab } from '../section.ts'
import { modelRequestsSection } from './model-requests.ts'

/** Limits on how often one user may call. */
export const rateLimitTab = {
  key: 'ratelimit',
  title: { en: 'Rate limit', zh: '速率限制' },
  sections: [modelRequestsSection],
} as const satisfies SettingTab
