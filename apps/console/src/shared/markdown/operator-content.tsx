import DOMPurify from 'dompurify'
import { cleanHtml } from './clean-html.ts'
import { Markdown, type MarkdownPlugins } from './markdown.tsx'
import styles from './operator-content.module.css'

const withHtml: MarkdownPlugins = { remark: [], rehype: [cleanHtml] }

/**
 * A page the operator wrote: an address is shown in a frame, HTML is cleaned first, anything else is Markdown, in which
 * HTML is cleaned too.
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

/** A line the operator wrote: HTML wherever a tag stands in it, else Markdown. */
export function OperatorLine({ text }: { readonly text: string }) {
  return /<[a-z][^<]*>/i.test(text) ? <CleanHtml html={text} /> : <Markdown loadsPictures text={text} />
}

function CleanHtml({ html }: { readonly html: string }) {
  // oxlint-disable-next-line react/no-danger -- cleaned on the same line
  return <div className={styles.html} dangerouslySetInnerHTML={{ __html: DOMPurify.sanitize(html) }} />
}
