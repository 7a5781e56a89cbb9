import { page } from '../kinds.ts'
import { section } from '../section.ts'

export const pagesSection = section({
  key: 'pages',
  title: { en: 'Pages', zh: '页面内容' },
  purpose: {
    en: 'Your own home page and page “About” instead of ours.',
    zh: '用您自己的首页和关于页面替换默认页面。',
  },
  settings: {
    HomePageContent: page(8, {
      label: { en: 'Home page', zh: '首页内容' },
      help: {
        en: 'Shown instead of our home page: Markdown, HTML, or an https:// address that is shown in a frame.',
        zh: '替换默认首页的内容：Markdown、HTML，或在框架中显示的 https:// 地址。',
      },
    }),
    About: page(8, {
      label: { en: 'About page', zh: '关于页面' },
      help: {
        en: 'The content of the page "About": Markdown, HTML, or an https:// address that is shown in a frame.',
        zh: '“关于”页面的内容：Markdown、HTML，或在框架中显示的 https:// 地址。',
      },
    }),
  },
})
