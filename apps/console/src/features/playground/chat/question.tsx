import { Button, Input } from 'antd'
import type { TextAreaRef } from 'antd/es/input/TextArea'
import { memo, useEffect, useRef, useState } from 'react'
import { copyText } from '../../../shared/copy/copy.ts'
import type { UserMessage } from '../conversation/conversation.ts'
import { playgroundMessages } from '../i18n.ts'
import { MessageAction } from './message-action.tsx'
import styles from './message.module.css'

interface QuestionProps {
  readonly question: UserMessage
  readonly onEdit: (id: string, text: string) => Promise<void>
}

/** A question of the user. Editing it sends it again and removes all later messages. */
export const Question = memo(function Question({ question, onEdit }: QuestionProps) {
  const t = playgroundMessages.use()
  const [isEditing, setIsEditing] = useState(false)
  if (isEditing) {
    return (
      <QuestionEditor
        initialValue={question.text}
        onCancel={() => setIsEditing(false)}
        onSave={(text) => {
          setIsEditing(false)
          void onEdit(question.id, text)
        }}
      />
    )
  }
  return (
    <article className={styles.question} aria-label={t('question')}>
      {question.images && <Pictures images={question.images} />}
      {question.text !== '' && <div className={styles.bubble}>{question.text}</div>}
      <div className={styles.foot}>
        <MessageAction label={t('word.edit')} onSelect={() => setIsEditing(true)} />
        <MessageAction label={t('copy')} onSelect={() => void copyText(question.text)} />
      </div>
    </article>
  )
})

function Pictures({ images }: { readonly images: readonly string[] }) {
  const t = playgroundMessages.use()
  return (
    <div className={styles.pictures}>
      {images.map((address, index) =>
        address === '' ? (
          // oxlint-disable-next-line react/no-array-index-key -- the pictures of a question never move
          <span key={index} className="muted">
            {t('image.notKept')}
          </span>
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- see above
          <img key={index} src={address} alt={t('image', { number: index + 1 })} />
        ),
      )}
    </div>
  )
}

interface QuestionEditorProps {
  readonly initialValue: string
  readonly onCancel: () => void
  readonly onSave: (text: string) => void
}

function QuestionEditor({ initialValue, onCancel, onSave }: QuestionEditorProps) {
  const t = playgroundMessages.use()
  const [text, setText] = useState(initialValue)
  const field = useRef<TextAreaRef>(null)
  useEffect(() => field.current?.focus({ cursor: 'end' }), [])
  return (
    <div className="stack-8">
      <Input.TextArea
        ref={field}
        autoSize={{ minRows: 2, maxRows: 12 }}
        aria-label={t('word.edit')}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && onCancel()}
      />
      <p className="muted">{t('edit.consequence')}</p>
      <div className={styles.buttons}>
        <Button onClick={onCancel}>{t('cancel')}</Button>
        <Button type="primary" disabled={text.trim() === ''} onClick={() => onSave(text.trim())}>
          {t('edit.ask')}
        </Button>
      </div>
    </div>
  )
}
