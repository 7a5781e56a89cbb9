import type { SettingTab } from '../section.ts'
import { noticeSection } from './notice.ts'
import { nameSection } from './name.ts'
import { pagesSection } from './pages.ts'
import { footerSection } from './footer.ts'
import { versionSection } from './version.ts'

/** What visitors see (announcement, name, pages, footer) and the version. */
export const otherTab = {
  key: 'other',
  title: { en: 'Other', zh: '其他' },
  sections: [noticeSection, nameSection, pagesSection, footerSection, versionSection],
} as const satisfies SettingTab
