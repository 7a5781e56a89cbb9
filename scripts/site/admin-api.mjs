// The page of the admin API, made of the route table, in both languages.
import { routes } from '@tollgate/contract/routes'
import { cell } from './cell.mjs'
import { chineseSummaries } from './zh/routes/index.mjs'

const WORDS = {
  en: {
    title: 'Admin API',
    lead: (
      count,
    ) => `The ${count} routes that the console uses, and that scripts may use with an access token (\`Authorization: Bearer …\`, or \`Tollgate-User\` beside it as in the new-api family).
Answers are \`{success, message, data}\`. A running gateway serves the complete description with all members at \`/openapi.json\`, readable at
\`/docs\`; \`tollgate openapi\` prints it. TypeScript programs use the [typed client](/guides/client).`,
    head: '| method | path | who | what |',
    access: { public: 'public', user: 'user', admin: 'admin', root: 'root' },
    summaryOf: ({ summary }) => summary,
  },
  zh: {
    title: '管理 API',
    lead: (count) =>
      `控制台使用的 ${count} 个路由，脚本也可以用访问令牌调用（\`Authorization: Bearer …\`，或像 new-api 系列那样另带 \`Tollgate-User\`）。应答为 \`{success, message, data}\`。运行中的网关在 \`/openapi.json\` 提供包含所有字段的完整描述，可在 \`/docs\` 阅读；\`tollgate openapi\` 把它打印出来。TypeScript 程序可以使用[类型化客户端](/zh/guides/client)。“本人”指访问令牌或会话所属的用户。`,
    head: '| 方法 | 路径 | 权限 | 作用 |',
    access: { public: '公开', user: '用户', admin: '管理员', root: '超级管理员' },
    summaryOf: (route) => chineseSummaries[nameOf(route)] ?? route.summary,
  },
}

/** @param {'en' | 'zh'} language */
export function adminApiPage(language) {
  const { title, lead, head, access, summaryOf } = WORDS[language]
  const all = adminRoutes()
  const tags = Map.groupBy(all, ({ path }) => path.split('/')[2] ?? '')
  const parts = [...tags]
    .toSorted(([left], [right]) => left.localeCompare(right))
    .map(([tag, ofTag]) => {
      const rows = ofTag.map(
        (route) =>
          `| \`${route.method}\` | \`${route.path}\` | ${access[route.access]} | ${cell(summaryOf(route))} |`,
      )
      return `## ${tag}\n\n${head}\n|---|---|---|---|\n${rows.join('\n')}`
    })
  return `# ${title}\n\n${lead(all.length)}\n\n${parts.join('\n\n')}\n`
}

/** Every route of the nested route table. */
export function adminRoutes(table = routes) {
  return Object.values(table).flatMap((entry) =>
    'path' in entry && 'method' in entry ? [entry] : adminRoutes(entry),
  )
}

/** The key of a route in the Chinese summaries. */
export function nameOf({ method, path }) {
  return `${method} ${path}`
}
