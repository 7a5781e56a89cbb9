import DOMPurify from 'dompurify'
import { Markdown } from './markdown.tsx'
import styles from './operator-content.module.css'

/** A page the operator wrote: an address is shown in a frame, HTML is cleaned first, anything else is Markdown. */
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
  if (!content.startsWith('<')) return <Markdown text={content} />
  // oxlint-disable-next-line react/no-danger -- cleaned on the same line
  return <div className={styles.html} dangerouslySetInnerHTML={{ __html: DOMPurify.sanitize(content) }} />
}
