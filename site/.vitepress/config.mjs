import { readFileSync } from 'node:fs'

// `npm run site` writes both before VitePress starts.
const cache = new URL('../.cache/', import.meta.url)
const sidebars = JSON.parse(readFileSync(new URL('sidebars.json', cache), 'utf8'))

const chinese = {
  nav: [
    { text: '快速开始', link: '/zh/guides/quick-start' },
    { text: '智能体', link: '/zh/guides/agents/' },
    { text: '参考', link: '/zh/reference/settings' },
  ],
  docFooter: { prev: '上一页', next: '下一页' },
  outline: { label: '本页内容' },
  darkModeSwitchLabel: '外观',
  lightModeSwitchTitle: '切换到浅色',
  darkModeSwitchTitle: '切换到深色',
  sidebarMenuLabel: '目录',
  returnToTopLabel: '回到顶部',
  langMenuLabel: '切换语言',
  skipToContentLabel: '跳到正文',
  notFound: { title: '页面不存在', quote: '这个地址没有页面。', linkText: '返回首页', linkLabel: '返回首页' },
}

const chineseSearch = {
  button: { buttonText: '搜索', buttonAriaLabel: '搜索' },
  modal: {
    noResultsText: '没有找到',
    resetButtonTitle: '清除',
    footer: { selectText: '打开', navigateText: '选择', closeText: '关闭' },
  },
}

// VitePress reads the default export.
export default {
  title: 'Tollgate',
  description: 'AI model API gateway with exact books',
  srcDir: '.cache/pages',
  cacheDir: '.cache/vitepress',
  outDir: 'dist',
  cleanUrls: true,
  lastUpdated: false,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/favicon.svg' }]],
  // Samples with addresses of a gateway on the reader's own machine.
  ignoreDeadLinks: [/^https?:\/\/localhost/],
  locales: {
    root: { label: 'English', lang: 'en' },
    zh: {
      label: '简体中文',
      lang: 'zh-CN',
      description: '账目精确的 AI 模型 API 网关',
      themeConfig: chinese,
    },
  },
  themeConfig: {
    logo: '/favicon.svg',
    nav: [
      { text: 'Quick start', link: '/guides/quick-start' },
      { text: 'Agents', link: '/guides/agents/' },
      { text: 'Reference', link: '/reference/settings' },
    ],
    sidebar: { '/': sidebars.en, '/zh/': sidebars.zh },
    outline: { level: [2, 3] },
    search: { provider: 'local', options: { locales: { zh: { translations: chineseSearch } } } },
  },
}
