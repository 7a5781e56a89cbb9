import { VersionFacts } from '../extras/version-facts.tsx'
import { fields, type SettingTab } from '../tab.ts'

/** What visitors see: announcement, name, pages, footer; and which version this is. */
export const otherTab: SettingTab = {
  key: 'other',
  title: { en: 'Other', zh: '其他' },
  sections: [
    {
      key: 'notice',
      title: { en: 'Announcement', zh: '公告' },
      purpose: { en: 'One word to everybody.', zh: '写给所有人的通知。' },
      fields: [{ key: 'Notice', rows: 6, preview: 'page' }],
    },
    {
      key: 'name',
      title: { en: 'Name and logo', zh: '名称与 Logo' },
      purpose: { en: 'How the site presents itself.', zh: '站点的名称与形象。' },
      fields: fields('SystemName', 'Logo'),
    },
    {
      key: 'pages',
      title: { en: 'Pages', zh: '页面内容' },
      purpose: {
        en: 'Your own home page and page “About” instead of ours.',
        zh: '用您自己的首页和关于页面替换默认页面。',
      },
      fields: [
        { key: 'HomePageContent', rows: 8, preview: 'page' },
        { key: 'About', rows: 8, preview: 'page' },
      ],
    },
    {
      key: 'footer',
      title: { en: 'Footer', zh: '页脚' },
      purpose: { en: 'The last line of every page.', zh: '每个页面的最后一行。' },
      fields: [{ key: 'Footer', rows: 4, preview: 'line' }],
    },
    {
      key: 'version',
      title: { en: 'Version', zh: '版本信息' },
      purpose: {
        en: 'What is running here, and whether there is something newer.',
        zh: '当前运行的版本，以及是否有新版本。',
      },
      fields: [],
      Extra: VersionFacts,
    },
  ],
}
