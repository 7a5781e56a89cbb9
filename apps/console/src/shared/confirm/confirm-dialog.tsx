import { Alert, Input, Modal } from 'antd'
import { useState } from 'react'
import { failureText } from '../api/failure.ts'
import { ComponentLibrary } from '../design/component-library.tsx'
import { sharedMessages } from '../i18n/shared-messages.ts'
import type { OpenQuestion } from './confirm.ts'
import styles from './confirm-dialog.module.css'

/** Dialog for one confirmation. */
export function ConfirmDialog({ question }: { readonly question: OpenQuestion }) {
  const t = sharedMessages.use()
  const [typed, setTyped] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const isLocked = question.typeToConfirm !== undefined && typed !== question.typeToConfirm

  async function confirmed() {
    setIsBusy(true)
    setFailure(undefined)
    try {
      await question.action?.()
      question.answer(true)
    } catch (error) {
      setFailure(failureText(error))
      setIsBusy(false)
    }
  }

  return (
    <ComponentLibrary>
      <Modal
        open
        closable={false}
        width={440}
        title={question.title}
        okText={question.confirmLabel}
        cancelText={t('cancel')}
        okButtonProps={{
          danger: question.isDestructive === true,
          disabled: isLocked,
          autoFocus: !question.isDestructive,
        }}
        cancelButtonProps={{ autoFocus: question.isDestructive === true }}
        confirmLoading={isBusy}
        onOk={() => void confirmed()}
        onCancel={() => question.answer(false)}
      >
        <div className={styles.body}>
          {question.consequence !== undefined && <p>{question.consequence}</p>}
          {question.typeToConfirm !== undefined && (
            <Input
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              aria-label={t('typeToConfirm', { text: question.typeToConfirm })}
              placeholder={question.typeToConfirm}
            />
          )}
          {failure !== undefined && <Alert type="error" title={failure} />}
        </div>
      </Modal>
    </ComponentLibrary>
  )
}
