import type { SettingTab } from '../section.ts'
import { globalSection } from './global.ts'
import { geminiSection } from './gemini.ts'
import { claudeSection } from './claude.ts'

/** How calls are forwarded: settings for all providers, and for providers that need their own. */
export const modelsTab = {
  key: 'models',
  title: { en: 'Models', zh: '模型' },
  sections: [globalSection, geminiSection, claudeSection],
} as const satisfies SettingTab
