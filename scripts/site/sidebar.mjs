// The order of the pages in the side bar, in both languages.
import { titleOf } from './pages.mjs'

/** Pages by section. A pattern adds every page that it matches and that no section before it has. */
const SECTIONS = [
  { en: 'Start', zh: '开始', pages: ['guides/quick-start', /^guides\/move-over/] },
  { en: 'Agents and programs', zh: '智能体与程序', pages: ['guides/agents/index', /^guides\/agents\//] },
  {
    en: 'Money',
    zh: '计费',
    pages: ['guides/pricing', 'guides/money', 'guides/limit-a-token'],
  },
  { en: 'Deploy', zh: '部署', pages: ['guides/deploy', /^guides\/deploy/, 'guides/several-gateways'] },
  { en: 'Operate', zh: '运维', pages: ['guides/operate', /^guides\/(?:operate|backup|upgrade)/] },
  { en: 'Automate', zh: '自动化', pages: ['guides/client', 'reference/admin-api'] },
  {
    en: 'Reference',
    zh: '参考',
    pages: [
      'reference/settings',
      'reference/options',
      'reference/errors',
      'reference/providers',
      'reference/members',
      'reference/fees',
      /^reference\//,
      'glossary',
    ],
  },
  { en: 'Extend', zh: '扩展', pages: ['architecture', 'contributing', /^guides\//] },
  { en: 'Decisions', zh: '设计决策', isFolded: true, pages: [/^adr\//] },
  { en: 'Versions', zh: '版本', pages: ['changelog', 'report-a-vulnerability'] },
]

/** @typedef {{ text: string, collapsed?: boolean, items: { text: string, link: string }[] }} SidebarSection */

/**
 * @param {import('./pages.mjs').Pages} pages
 * @param {'en' | 'zh'} language Chinese pages are below `zh`; an English page stands in where one is missing
 * @returns {SidebarSection[]}
 */
export function sidebarOf(pages, language) {
  const taken = new Set()
  return SECTIONS.map((section) => {
    const names = section.pages
      .flatMap((wanted) => matching(pages, wanted))
      .filter((name) => !taken.has(name))
    for (const name of names) taken.add(name)
    return {
      text: section[language],
      ...(section.isFolded && { collapsed: true }),
      items: [...new Set(names)].map((name) => itemOf(pages, name, language)),
    }
  }).filter(({ items }) => items.length > 0)
}

function matching(pages, wanted) {
  const names = [...pages.keys()]
    .filter((path) => !path.startsWith('zh/'))
    .map((path) => path.replace(/\.md$/, ''))
  if (wanted instanceof RegExp)
    return names.filter((name) => wanted.test(name)).toSorted((left, right) => left.localeCompare(right))
  return names.includes(wanted) ? [wanted] : []
}

function itemOf(pages, name, language) {
  const chinese = `zh/${name}.md`
  const path = language === 'zh' && pages.has(chinese) ? chinese : `${name}.md`
  return {
    text: titleOf(pages.get(path)),
    link: `/${path.replace(/(?:\/index)?\.md$/, '')}${path.endsWith('/index.md') ? '/' : ''}`,
  }
}
