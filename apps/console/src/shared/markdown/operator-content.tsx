import DOMPurify from 'dompurify'
import { cleanHtml } from './clean-html.ts'
import { Markdown, type MarkdownPlugins } from './markdown.tsx'
import styles from './operator-content.module.css'

const withHtml: MarkdownPlugins = { remark: [], rehype: [cleanHtml] }

/**
 * A page written by the operator: an address is shown in a frame, HTML is sanitised, and anything else is
 * rendered as Markdown, in which HTML is sanitised too.
 */
export function OperatorContent({ text, title }: { readonly text: string; readonly title: string }) {
  const content = text.trim()
  if (/^https:\/\/\S+$/.test(content)) {
    return (
      <iframe
        className={styles.frame}
        src={content}
        title={title}
        sandbox="allow-scripts allow-forms allow-popups"
      />
    )
  }
  if (content.startsWith('<')) return <CleanHtml html={content} />
  return <Markdown loadsPictures plugins={withHtml} text={content} />
}

/** A line written by the operator: sanitised HTML if it contains a tag, otherwise Markdown. */
export function OperatorLine({ text }: { readonly text: string }) {
  return /<[a-z][^<]*>/i.test(text) ? <CleanHtml html={text} /> : <Markdown loadsPictures text={text} />
}

function CleanHtml({ html }: { readonly html: string }) {
  // oxlint-disable-next-line react/no-danger -- cleaned on the same line
  return <div className={styles.html} dangerouslySetInnerHTML={{ __html: DOMPurify.sanitize(html) }} />
}
