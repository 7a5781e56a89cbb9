// Reference pages that exist in the site only, made of the declarations in the code.
import { settingTabs } from '@tollgate/contract/options/index'
import { problems } from '@tollgate/problems/problem'
import { adminApiPage } from './admin-api.mjs'
import { cell } from './cell.mjs'

/** @returns {import('./pages.mjs').Pages} */
export function referencePages() {
  return new Map([
    ['reference/options.md', optionPage('en')],
    ['zh/reference/options.md', optionPage('zh')],
    ['zh/reference/errors.md', chineseErrors()],
    ['reference/admin-api.md', adminApiPage('en')],
    ['zh/reference/admin-api.md', adminApiPage('zh')],
  ])
}

const WORDS = {
  en: {
    title: 'Site settings',
    lead: 'What is edited under *Settings* in the console, and over `PUT /api/option`. Settings of the process are [environment variables](/reference/settings).',
    head: '| setting | name | default | meaning |',
  },
  zh: {
    title: '站点设置',
    lead: '在控制台的“系统设置”中编辑，也可以通过 `PUT /api/option` 修改。进程的设置是[环境变量](/zh/reference/settings)。',
    head: '| 设置 | 名称 | 默认值 | 说明 |',
  },
}

function optionPage(language) {
  const { title, lead, head } = WORDS[language]
  const parts = settingTabs.flatMap((tab) => [
    `## ${tab.title[language]}`,
    ...tab.sections.flatMap((section) => [
      `### ${section.title[language]}`,
      section.purpose[language],
      Object.keys(section.settings).length === 0
        ? ''
        : [
            head,
            '|---|---|---|---|',
            ...Object.entries(section.settings).map((entry) => optionRow(entry, language)),
          ].join('\n'),
    ]),
  ])
  return [`# ${title}`, lead, ...parts, ''].filter((part) => part !== '').join('\n\n')
}

const DEFAULT_CHARACTERS_MAX = 40

function optionRow([key, { label, help, default: value = '', kind }], language) {
  const isShown = kind !== 'secret' && value !== '' && value.length <= DEFAULT_CHARACTERS_MAX
  const short = isShown ? `\`${value.replaceAll(/\s+/g, ' ')}\`` : ''
  return `| ${cell(label[language])} | \`${key}\` | ${cell(short)} | ${cell(help[language])} |`
}

function chineseErrors() {
  const rows = Object.entries(problems)
    .toSorted(([left], [right]) => left.localeCompare(right))
    .map(([code, { status, fault, text }]) => `| \`${code}\` | ${status} | ${fault} | ${cell(text.zh)} |`)
  return `# 错误

每个可以预见的失败都有代码、在中继路径上的状态码，以及责任方：\`caller\`（修改请求）、\`operator\`（修改配置）、\`upstream\`（供应商拒绝或出错）、\`network\`、\`gateway\`（稍后重试）。文字按调用者的
\`Accept-Language\` 返回。其他错误都是程序缺陷：调用者得到不含细节的 500 和一个可在服务器日志中查找的编号。

| 代码 | 状态码 | 责任方 | 文字 |
|---|---|---|---|
${rows.join('\n')}
`
}
