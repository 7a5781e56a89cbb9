import { page } from '../kinds.ts'
import { section } from '../section.ts'

export const noticeSection = section({
  key: 'notice',
  title: { en: 'Announcement', zh: '公告' },
  purpose: { en: 'A message to everybody.', zh: '写给所有人的通知。' },
  settings: {
    Notice: page(6, {
      label: { en: 'Announcement', zh: '公告' },
      help: {
        en: 'Shown to every visitor in a dialog until they close it, and again when it changes. Markdown or HTML.',
        zh: '以弹窗显示给每位访问者，关闭后不再出现，内容变化时重新显示。支持 Markdown 和 HTML。',
      },
    }),
  },
})
