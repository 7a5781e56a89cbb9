import type { Example } from '../../../shared/code-example/code-example.tsx'

interface ToolTexts {
  readonly curl?: string
  readonly python: string
  readonly typescript: string
}

/** The same request for three tools, or for two where curl cannot make it. */
export function toolExamples({ curl, python, typescript }: ToolTexts): readonly Example[] {
  return [
    ...(curl === undefined ? [] : [{ id: 'curl', label: 'curl', text: curl }]),
    { id: 'python', label: 'Python', text: python },
    { id: 'typescript', label: 'TypeScript', text: typescript },
  ]
}
