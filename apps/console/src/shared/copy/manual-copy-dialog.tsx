import { Input, Modal } from 'antd'
import { ComponentLibrary } from '../design/component-library.tsx'
import { sharedMessages } from '../i18n/shared-messages.ts'

const TEXT_ID = 'text-to-copy'

export function ManualCopyDialog({ text, onClose }: { readonly text: string; readonly onClose: () => void }) {
  const t = sharedMessages.use()
  return (
    <ComponentLibrary>
      <Modal open afterOpenChange={selectText} title={t('copyByHand')} footer={null} onCancel={onClose}>
        <Input.TextArea
          readOnly
          autoSize={{ minRows: 1, maxRows: 12 }}
          value={text}
          aria-label={t('copyByHand')}
          id={TEXT_ID}
        />
      </Modal>
    </ComponentLibrary>
  )
}

function selectText(isOpen: boolean): void {
  const text = document.getElementById(TEXT_ID)
  if (isOpen && text instanceof HTMLTextAreaElement) text.select()
}
