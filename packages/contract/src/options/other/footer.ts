import { text } from '../kinds.ts'
import { section } from '../section.ts'

export const footerSection = section({
  key: 'footer',
  title: { en: 'Footer', zh: '页脚' },
  purpose: { en: 'The last line of every page.', zh: '每个页面的最后一行。' },
  settings: {
    Footer: text('', 20_000, {
      label: { en: 'Footer', zh: '页脚' },
      help: {
        en: 'HTML at the foot of every page. It is cleaned before it is shown. Empty shows name and version.',
        zh: '每个页面底部的 HTML，显示前会经过清理；留空则显示名称和版本。',
      },
      lines: 4,
      preview: 'line',
    }),
  },
})
