import rehypeKatex from 'rehype-katex'
import remarkMath from 'remark-math'
import 'katex/dist/katex.min.css'
import { Markdown, type MarkdownPlugins } from '../../../shared/markdown/markdown.tsx'
import { mathMarked } from '../../../shared/markdown/math-text.ts'

const math: MarkdownPlugins = {
  remark: [[remarkMath, { singleDollarTextMath: false }]],
  rehype: [[rehypeKatex, { throwOnError: false, trust: false }]],
}

/** Renders the Markdown of a model, including formulas. */
export function AnswerText({ text }: { readonly text: string }) {
  return <Markdown text={mathMarked(text)} plugins={math} />
}
