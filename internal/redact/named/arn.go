package named

import "strings"

// maxARN is how far before a name the ARN that it belongs to begins: the longest has 2 KB, those with a name of a secret in them a tenth.
const maxARN = 256

// inARN reports whether a name is the type or a part of the name of a resource of AWS, whose parts colons separate:
// arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db_password-AbCdEf:username::.
func (f *finder) inARN(n field) bool {
	s := f.s
	start := n.start
	for start > max(0, n.start-maxARN) && (isNameByte(s[start-1]) || strings.IndexByte(":/*+=,@", s[start-1]) >= 0) {
		start--
	}
	i := strings.LastIndex(s[start:n.start], "arn:aws")
	if i < 0 {
		return false
	}
	// arn, partition, service, region, account: the resource is behind the fifth colon.
	parts := strings.SplitN(s[start+i:n.start], ":", 6)
	return len(parts) == 6 && strings.Trim(parts[4], "0123456789") == ""
}
