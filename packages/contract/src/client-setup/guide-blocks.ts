import { blocksOf } from './index.ts'
import { HIDDEN_KEY, type SetupBlock, type SetupValues } from './setup.ts'
import { textOf } from './write.ts'

/** What stands between the marks of a client and a variant in a guide. */
const MARKS = /(<!-- setup: ([\w-]+) ([\w-]+) -->\n)[\s\S]*?(<!-- \/setup -->)/g

/** Replaces everything between marks by the current blocks. */
export function withSetupBlocks(page: string): string {
  return page.replaceAll(MARKS, (_whole, begin: string, client: string, variant: string, end: string) => {
    const blocks = blocksOf(client, variant, { ...SAMPLE, model: sampleModelOf(client, variant) })
    return `${begin}\n${blocks.map(markdownOf).join('\n')}\n${end}`
  })
}

const SAMPLE: Omit<SetupValues, 'model'> = { address: 'https://gateway.example.com', key: HIDDEN_KEY }

function sampleModelOf(client: string, variant: string): string {
  if (/^(?:claude-code|anthropic-sdk)$/.test(client) || variant === 'messages') return 'claude-sonnet-4-5'
  if (/^(?:gemini-cli|google-sdk)$/.test(client)) return 'gemini-3-pro'
  return client === 'qwen-code' ? 'qwen3-coder-plus' : 'gpt-5.2'
}

function markdownOf(block: SetupBlock): string {
  if (block.type === 'fields') {
    const rows = block.fields.map(({ name, value }) => `| ${name} | \`${value}\` |\n`)
    return `${block.place}\n\n| field | value |\n|---|---|\n${rows.join('')}`
  }
  const language = {
    environment: 'sh',
    file: 'language' in block ? block.language : '',
    code: 'language' in block ? block.language : '',
  }
  const above = block.type === 'code' && block.install !== undefined ? `\`${block.install}\`\n\n` : ''
  const place = block.type === 'file' ? `\`${block.path}\`\n\n` : ''
  return `${above}${place}\`\`\`${language[block.type]}\n${textOf(block).trimEnd()}\n\`\`\`\n`
}
