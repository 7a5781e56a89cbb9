import { picture } from '../address-kinds.ts'
import { page, text } from '../kinds.ts'
import { type SettingTab, section } from '../section.ts'

const noticeSection = section({
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

const nameSection = section({
  key: 'name',
  title: { en: 'Name and logo', zh: '名称与 Logo' },
  purpose: { en: 'How the site presents itself.', zh: '站点的名称与形象。' },
  settings: {
    SystemName: text('Tollgate', 64, {
      label: { en: 'System name', zh: '系统名称' },
      help: {
        en: "The site's name: in the title bar, in the subjects of mails and as their sender.",
        zh: '网站的名称：显示在标题栏、邮件主题和发件人中。',
      },
    }),
    Logo: picture({
      label: { en: 'Logo address', zh: 'Logo 图片地址' },
      help: {
        en: 'Address of a picture, shown 24 pixels high beside the name. Empty shows our mark.',
        zh: '图片地址，以 24 像素高显示在名称旁，留空则显示默认标志。',
      },
    }),
  },
})

const pagesSection = section({
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

const footerSection = section({
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

const versionSection = section({
  key: 'version',
  title: { en: 'Version', zh: '版本信息' },
  purpose: {
    en: 'What is running here, and whether there is something newer.',
    zh: '当前运行的版本，以及是否有新版本。',
  },
  finds: [{ en: 'Check for updates', zh: '检查更新' }],
  settings: {},
})

/** What visitors see (announcement, name, pages, footer) and the version. */
export const otherTab = {
  key: 'other',
  title: { en: 'Other', zh: '其他' },
  sections: [noticeSection, nameSection, pagesSection, footerSection, versionSection],
} as const satisfies SettingTab
