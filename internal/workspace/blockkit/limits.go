package blockkit

// Limits of https://docs.slack.dev/reference/block-kit. Texts are counted in characters, not in bytes.
const (
	MaxMessageBlocks = 50  // /blocks
	MaxViewBlocks    = 100 // /blocks: modals and home tabs

	maxBlockID  = 255 // every page below /blocks
	maxActionID = 255 // every page below /block-elements

	maxText         = 3000 // /composition-objects/text-object, /blocks/section-block
	maxHeader       = 150  // /blocks/header-block
	maxFields       = 10   // /blocks/section-block
	maxField        = 2000 // /blocks/section-block
	maxContext      = 10   // /blocks/context-block
	maxActions      = 25   // /blocks/actions-block
	maxMarkdown     = 12000
	maxURL          = 3000 // /blocks/image-block, /block-elements/button-element
	maxAlt          = 2000 // /blocks/image-block
	maxImageTitle   = 2000 // /blocks/image-block
	maxLabel        = 2000 // /blocks/input-block
	maxTableRows    = 100  // /blocks/table-block
	maxTableColumns = 20   // /blocks/table-block

	maxButtonText  = 75   // /block-elements/button-element
	maxButtonValue = 2000 // /block-elements/button-element
	maxPlaceholder = 150  // /block-elements/select-menu-element
	maxOptions     = 100  // /block-elements/select-menu-element
	maxGroups      = 100  // /block-elements/select-menu-element
	maxOverflow    = 5    // /block-elements/overflow-menu-element
	maxRadios      = 10   // /block-elements/radio-button-group-element, checkboxes-element

	maxOptionText  = 75  // /composition-objects/option-object
	maxOptionValue = 150 // /composition-objects/option-object
	maxGroupLabel  = 75  // /composition-objects/option-group-object

	maxConfirmTitle  = 100 // /composition-objects/confirmation-dialog-object
	maxConfirmText   = 300
	maxConfirmButton = 30

	maxViewTitle       = 24 // https://docs.slack.dev/reference/views/modal-views
	maxPrivateMetadata = 3000
	maxCallbackID      = 255
	maxExternalID      = 255

	// MaxAttachments stands in https://docs.slack.dev/reference/methods/chat.postMessage (too_many_attachments).
	MaxAttachments = 100
)
