package page

// emoji that messages about deployments use. Others stay as they are written.
var emoji = map[string]string{
	"white_check_mark": "✅", "heavy_check_mark": "✔️", "x": "❌", "warning": "⚠️", "rotating_light": "🚨",
	"red_circle": "🔴", "large_green_circle": "🟢", "large_yellow_circle": "🟡", "large_orange_circle": "🟠",
	"large_blue_circle": "🔵", "white_circle": "⚪", "black_circle": "⚫", "hourglass": "⌛", "hourglass_flowing_sand": "⏳",
	"eyes": "👀", "mag": "🔍", "bulb": "💡", "wrench": "🔧", "hammer_and_wrench": "🛠️", "link": "🔗", "fire": "🔥",
	"rocket": "🚀", "tada": "🎉", "thumbsup": "👍", "+1": "👍", "-1": "👎", "thumbsdown": "👎", "arrow_right": "➡️",
	"arrow_up": "⬆️", "arrow_down": "⬇️", "repeat": "🔁", "arrows_counterclockwise": "🔄", "bell": "🔔", "no_bell": "🔕",
	"lock": "🔒", "clock1": "🕐", "stopwatch": "⏱️", "boom": "💥", "wave": "👋", "question": "❓", "exclamation": "❗",
	"information_source": "ℹ️", "octagonal_sign": "🛑", "no_entry": "⛔", "construction": "🚧", "bar_chart": "📊",
	"memo": "📝", "clipboard": "📋", "package": "📦", "ghost": "👻", "zzz": "💤", "green_heart": "💚", "broken_heart": "💔",
	"ballot_box_with_check": "☑️", "small_red_triangle": "🔺", "small_blue_diamond": "🔹", "pushpin": "📌", "speech_balloon": "💬",
}
